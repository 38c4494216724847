// SPDX-License-Identifier: GPL-3.0-only
// Merges the orders of the stages that share a lane, by running them in thought: a lane that falls idle takes, of the
// next actions of its stages, one whose inputs are there. Backwards go first, since they free memory; weight parts go
// last, since nobody waits for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/schedule.h"

namespace lanelab {

/// How long the actions of one stage take for one micro-batch, in any unit that all stages share.
struct StageTimes {
  std::int64_t forward = 1;
  std::int64_t backward = 1;                          ///< whole: input and weight part
  std::optional<std::int64_t> weight = std::nullopt;  ///< the weight part of it; none: half of it
};

/// "10:12:8" is forward 10, input part 12, weight part 8. BadInput names the text.
Result<StageTimes> parseStageTimes(const std::string& text);

/// Of one action, at least 1. An update takes no time here.
std::int64_t durationOf(const StageTimes& times, ActionKind kind);

/// `orders[s]` is what stage s does, in its own order; each action once, and together they must be able to end. Gives
/// the rows of `lanes` lanes. Ends for every placement: the orders never wait for each other in a circle, so some
/// action is ready until all are done.
ActionRows mergeOrders(const ActionRows& orders, const std::vector<LaneId>& lane_of_stage,
                       const std::vector<StageTimes>& times, int lanes, int micro_batches);

/// When the last action ends if each lane does its row in order, without transfers. For legal schedules; `times` one a
/// stage.
std::int64_t lastEnd(const Schedule& schedule, const std::vector<StageTimes>& times);

/// The same of steps in a row without a barrier, where each lane continues with the next step as soon as its row is
/// done: how far apart two steps are in the end. Exact where the lanes' state repeats within 24 steps, else a mean.
double periodOf(const Schedule& schedule, const std::vector<StageTimes>& times);

}  // namespace lanelab
