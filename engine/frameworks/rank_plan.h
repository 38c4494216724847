// SPDX-License-Identifier: GPL-3.0-only
// Stages and order of a variant by ranks, as frameworks with a process per device count them. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/resolution.h"

namespace lanelab {

struct RankPlan {
  std::vector<int> stage_ranks;                 ///< of each stage, in a replica
  int ranks = 1;                                ///< of a replica
  int replicas = 1;                             ///< rank r of replica k is process k * ranks + r
  std::vector<std::vector<int>> micro_batches;  ///< of each replica, samples of each micro-batch
  Schedule schedule;                            ///< of a replica: a row for each rank
  std::string named;                            ///< PyTorch's schedule with these orders; "" if it has none
  std::vector<Stage> stages;
};

bool hasOneStageEach(const RankPlan& plan);
/// Whether each rank has equally many stages, one of each round: stage s on rank s mod ranks.
bool hasStagesInRounds(const RankPlan& plan);

/// Ranks are lanes in the order of the stages; a lane without a stage is none. Errors (BadInput): the variant's own.
Result<RankPlan> rankPlanOf(const ResolvedVariant& variant);

/// The word of get_schedule_class() in torch.distributed.pipelining 2.11 to 2.15 whose orders are those of the plan, as
/// tests/oracle/schedules_test.py holds; "" if there is none.
std::string namedSchedule(const RankPlan& plan, const VariantConfig& variant, ScheduleKind kind);

}  // namespace lanelab
