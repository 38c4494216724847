// SPDX-License-Identifier: GPL-3.0-only
// Who is late in a job, as JSON and in sentences. C locale.
#pragma once

#include <string>
#include <vector>

#include "profiler/analysis/slowdown/job_slowdown.h"

namespace lanelab {

/// { "step_s", "ideal_step_s", "slowdown", "by_operation": { name: slowdown }, ... }; stages, replicas, ranks and steps
/// are keys, too; "late" has an object for each that is named. `trace` is that of the slowdown.
std::string slowdownJson(const Trace& trace, const JobSlowdown& slowdown);

/// How much longer the step is than the ideal one; then who makes it so, the stage, the replica, the ranks, links,
/// waits for data, late starts, the lengths of micro-batches, each with its share. One sentence where nothing is late.
std::vector<std::string> slowdownSentences(const Trace& trace, const JobSlowdown& slowdown);

}  // namespace lanelab
