// SPDX-License-Identifier: GPL-3.0-only
// What a run says of its replicas, in words.
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_record.h"
#include "engine/report/run_note.h"

namespace lanelab {

/// A sentence for each data-parallel variant: how many samples each replica got, steps alike taken together.
std::vector<RunNote> replicaNotes(const RunRecord& record);

}  // namespace lanelab
