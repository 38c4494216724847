// SPDX-License-Identifier: GPL-3.0-only
// The schedules that are an order for each stage, whatever lane it lies on: gpipe, 1f1b, zb-h1.
#include <algorithm>

#include "engine/schedule/generate_parts.h"
#include "engine/schedule/order_choice.h"

namespace lanelab {
namespace {

/// A stage's own order. With all forwards as warm-up this is GPipe, with S-s it is 1F1B.
std::vector<Action> orderOf(int stage, int warm_up, int micro_batches,
                            std::optional<std::size_t> weight_delay = std::nullopt) {
  std::vector<Action> forwards, backwards;
  for (int k = 0; k < micro_batches; ++k) {
    forwards.push_back({StageId(stage), ActionKind::Forward, MicroBatchId(k)});
    backwards.push_back(
        {StageId(stage), weight_delay ? ActionKind::BackwardInput : ActionKind::Backward, MicroBatchId(k)});
  }
  return inTurn(forwards, backwards, static_cast<std::size_t>(warm_up), weight_delay);
}

}  // namespace

std::vector<Action> inTurn(const std::vector<Action>& forwards, const std::vector<Action>& backwards,
                           std::size_t warm_up, std::optional<std::size_t> weight_delay) {
  const std::size_t first = std::min(warm_up, forwards.size());
  std::vector<Action> row(forwards.begin(), forwards.begin() + static_cast<std::ptrdiff_t>(first));
  std::size_t weights = 0;
  const auto addWeight = [&] {
    const Action& input = backwards[weights++];
    row.push_back({input.stage, ActionKind::BackwardWeight, input.micro_batch});
  };
  for (std::size_t i = 0; i < backwards.size(); ++i) {
    row.push_back(backwards[i]);
    if (weight_delay && i >= *weight_delay) addWeight();
    if (first + i < forwards.size()) row.push_back(forwards[first + i]);
  }
  while (weight_delay && weights < backwards.size()) addWeight();
  return row;
}

int warmUpOf(int index, int count, int first, int last) {
  if (count < 2) return first;
  const std::int64_t steps = count - 1;
  return last + static_cast<int>((static_cast<std::int64_t>(first - last) * (steps - index) + steps / 2) / steps);
}

ActionRows oneForwardOneBackwardOrders(int stages, int micro_batches, int warm_up) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s) orders.push_back(orderOf(s, warmUpOf(s, stages, warm_up, 1), micro_batches));
  return orders;
}

ActionRows splitOrders(int stages, int micro_batches, int warm_up, bool delayed) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s) {
    const int own = warmUpOf(s, stages, warm_up, 1);
    orders.push_back(orderOf(s, own, micro_batches, static_cast<std::size_t>(delayed ? warm_up - own : 0)));
  }
  return orders;
}

namespace {

ActionRows merged(const ScheduleRequest& request, const ActionRows& orders) {
  return mergeOrders(orders, request.lane_of_stage, request.times, request.lanes, request.micro_batches);
}

/// That of 1F1B, or where steps overlap one that makes the period shorter.
int zeroBubbleDepth(const ScheduleRequest& request) {
  const auto& [lane_of_stage, lanes, micro_batches, window, times, limits] = request;
  const int stages = request.stages(), tried = triedMicroBatches(stages, micro_batches);
  if (window == WindowKind::Step) return stages;
  int chosen = stages;
  std::optional<OrderCost> best;
  for (const int depth : depthsToTry(stages, std::max(stages, 2 * stages - 1), window)) {
    const ActionRows orders = splitOrders(stages, tried, depth, true);
    const Schedule schedule{stages, tried, mergeOrders(orders, lane_of_stage, times, lanes, tried)};
    const OrderCost cost = costOf(schedule, lastEnd(schedule, times), times, window);
    if (best && !isWorthMore(cost, *best)) continue;
    best = cost;
    chosen = depth;
    if (cost.window <= static_cast<double>(busiestLane(schedule, times))) break;
  }
  return chosen;
}

}  // namespace

ActionRows gpipeRows(const ScheduleRequest& request) {
  ActionRows orders;
  for (int s = 0; s < request.stages(); ++s) orders.push_back(orderOf(s, request.micro_batches, request.micro_batches));
  return merged(request, orders);
}

ActionRows oneForwardOneBackwardRows(const ScheduleRequest& request) {
  const int depth = request.limits.warm_up.value_or(request.stages());
  return merged(request, oneForwardOneBackwardOrders(request.stages(), request.micro_batches, depth));
}

ActionRows zeroBubbleRows(const ScheduleRequest& request) {
  const int depth = request.limits.warm_up ? *request.limits.warm_up : zeroBubbleDepth(request);
  return merged(request, splitOrders(request.stages(), request.micro_batches, depth, true));
}

}  // namespace lanelab
