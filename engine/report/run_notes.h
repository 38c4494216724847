// SPDX-License-Identifier: GPL-3.0-only
// All notes of a run as one list: the command line, the report and the window print the kinds that they have a place
// for.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_note.h"

namespace lanelab {

/// By kind, and within a kind in the order of the variants.
std::vector<RunNote> runNotes(const RunRecord& record);

/// The sentences of these kinds, one kind after the other.
std::vector<std::string> noteSentences(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds);

}  // namespace lanelab
