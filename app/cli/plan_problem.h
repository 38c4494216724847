// SPDX-License-Identifier: GPL-3.0-only
// What the command plan cuts: from its options, an experiment, a file of costs and kept profiles to a partition
// problem.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/resolution.h"
#include "engine/placement/partition.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// What the command plan was asked.
struct PlanOptions {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  int stages = 0;
  std::optional<int> lanes;
  std::optional<int> split_size;
  std::optional<int> micro_batches;
  ScheduleKind schedule = ScheduleKind::OneFOneB;
  std::string schedule_name = toWord(schedule);  ///< as typed
  std::vector<double> slowness;
  std::vector<std::uint64_t> lane_bytes;
  bool json = false;
};

/// What is to be cut.
struct PlanSubject {
  std::string title;
  CostModel costs;
  std::shared_ptr<const Resolution> resolution = nullptr;  ///< of the experiment; null where only costs are given
  std::vector<double> slowness;                            ///< of the experiment's lanes, as measured; empty: not known
  int split_size = 0;                                      ///< 0: not known
  int micro_batches = 0;                                   ///< 0: only the bottleneck counts
};

/// Reads what the options name. Errors (BadInput): what cannot be read, options that do not fit together, no profile.
Result<PlanSubject> subjectOf(const PlanOptions& options);
/// The problem for its stages and lanes, with a limit of memory where lane bytes are given. Errors (BadInput): numbers
/// that do not fit together.
Result<PartitionProblem> problemOf(const PlanOptions& options, const PlanSubject& subject);

}  // namespace lanelab
