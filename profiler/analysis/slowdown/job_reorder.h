// SPDX-License-Identifier: GPL-3.0-only
// A training job whose lanes do their passes in another order: each pass and transfer with the length that it had, and
// what they wait for by the rules of job_order.h.
#pragma once

#include <optional>
#include <vector>

#include "profiler/analysis/slowdown/job_model.h"
#include "profiler/analysis/what_if.h"

namespace lanelab {

/// By place of a JobModel, the passes of a step in order; micro-batches count by replica.
using PassOrder = std::vector<std::vector<OrderedAction>>;

/// As the job did them.
PassOrder passOrderOf(const JobModel& model);

/// Where the job has whole backwards and the order input and weight parts, each part takes half of the backward; the
/// other way round a backward takes as long as both parts. Nothing if the order is not that of just the job's passes,
/// each on its own place. n log n.
std::optional<JobModel> reordered(const JobModel& model, const PassOrder& order);

}  // namespace lanelab
