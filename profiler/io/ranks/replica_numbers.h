// SPDX-License-Identifier: GPL-3.0-only
// Replicas of a pipeline count their micro-batches from 0 each; a trace numbers those of a step over all replicas, so
// that lanes that share some are one replica.
//
// Pure; any thread; linear in the actions.
#pragma once

#include <memory>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// By rank, what is added to its micro-batches. Ranks with the same stages and micro-batches are of different replicas:
/// of each stage the n-th is of the n-th replica. All 0 unless there are as many of each.
std::vector<int> microBatchShifts(const std::vector<std::shared_ptr<const ImportedTrace>>& ranks);

}  // namespace lanelab
