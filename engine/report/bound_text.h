// SPDX-License-Identifier: GPL-3.0-only
// How near each schedule of a run came to its bound, as rows, a text table and sentences.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_notes.h"

namespace lanelab {

/// Titles first, then a row a variant with a bound; empty where none has one. Times in ms.
std::vector<std::vector<std::string>> boundRows(const RunRecord& record);
/// The rows for a terminal, or nothing.
std::string boundTable(const RunRecord& record);
/// For each pair of pipelines on equal stages and micro-batches of which only the second splits its backwards: what the
/// split cost, what its order saved, and what came of it. A sentence a pair.
std::vector<RunNote> boundNotes(const RunRecord& record);

}  // namespace lanelab
