// SPDX-License-Identifier: GPL-3.0-only
// Which result each send and receive of a rank carries, of jobs that number them in no other way than by their order.
//
// The k-th send of a phase carries the result of the k-th pass of it, the k-th receive the input of the k-th pass.
// Recorders also list calls that move nothing: before the first result, after the last pass, and at the two ends of the
// model. The rules are those of StragglerAnalysis (analyzer/dependency_model.py, get_peer_op_and_match_compute).
#pragma once

#include <vector>

#include "profiler/io/names/named_work.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// A pass, send or receive of one rank in one step.
struct JobPass {
  Span* span = nullptr;
  WorkPart is;
};

/// Sets stage and micro-batch of sends and receives, those of the stage that sends: -1 before the first stage. Those of
/// no pass retain -1 for both. Passes have their stages already; `passes` are sorted by start.
void matchTransfers(const std::vector<JobPass>& passes);

}  // namespace lanelab
