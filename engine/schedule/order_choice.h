// SPDX-License-Identifier: GPL-3.0-only
// Which of several orders is the best, by stage times alone: that of the shortest step, or where steps overlap that of
// the shortest period. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "base/window_kind.h"
#include "engine/schedule/list_simulation.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// What an order costs, in the unit of the times.
struct OrderCost {
  double window = 0;      ///< the step, or the period
  std::int64_t step = 0;  ///< from the common start to the last end
  int held = 0;           ///< most micro-batches that a stage holds, from F to B or W; of a period only
};
/// `step` is known to whoever made the order.
OrderCost costOf(const Schedule& schedule, std::int64_t step, const std::vector<StageTimes>& times, WindowKind window);
/// By the window, then the shorter step, then less memory.
bool isBetter(const OrderCost& one, const OrderCost& other);

/// No period of these rows is shorter: the work of the busiest lane.
std::int64_t busiestLane(const Schedule& schedule, const std::vector<StageTimes>& times);

/// Warm-up depths to choose from, the least first: with a barrier that of 1F1B alone, as deeper ones only hold more.
/// Without one up to `most`, with which no lane waits for its first backward.
std::vector<int> depthsToTry(int stages, int most, WindowKind window);
/// Whether a deeper warm-up is worth what it holds: a period at least 1 % shorter.
bool isWorthMore(const OrderCost& deeper, const OrderCost& cost);

/// So many micro-batches are tried at most, since beyond them a pipeline repeats itself.
int triedMicroBatches(int stages, int micro_batches);

}  // namespace lanelab
