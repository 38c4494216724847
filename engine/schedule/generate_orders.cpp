// SPDX-License-Identifier: GPL-3.0-only
// The schedules that are an order for each stage, whatever lane it lies on: gpipe, 1f1b, zb-h1.
#include <algorithm>

#include "engine/schedule/generate_parts.h"
#include "engine/schedule/order_choice.h"

namespace lanelab {
namespace {

// Backwards are whole, or with `weight_delay` in two parts, the weight part so many micro-batches later. With all
// forwards as warm-up this is GPipe, with S-s it is 1F1B.
std::vector<Action> orderOf(StageId stage, int warm_up, int micro_batches,
                            std::optional<int> weight_delay = std::nullopt) {
  std::vector<Action> order;
  order.reserve((weight_delay ? 3 : 2) * static_cast<std::size_t>(micro_batches));
  const auto add = [&](ActionKind kind, int k) { order.push_back({stage, kind, MicroBatchId(k)}); };
  int forwards = 0, weights = 0;
  while (forwards < warm_up) add(ActionKind::Forward, forwards++);
  for (int k = 0; k < micro_batches; ++k) {
    add(weight_delay ? ActionKind::BackwardInput : ActionKind::Backward, k);
    if (weight_delay && k >= *weight_delay) add(ActionKind::BackwardWeight, weights++);
    if (forwards < micro_batches) add(ActionKind::Forward, forwards++);
  }
  while (weight_delay && weights < micro_batches) add(ActionKind::BackwardWeight, weights++);
  return order;
}

}  // namespace

int warmUpOf(int index, int count, int first, int last) {
  if (count < 2) return first;
  const std::int64_t steps = count - 1;
  return last + static_cast<int>((static_cast<std::int64_t>(first - last) * (steps - index) + steps / 2) / steps);
}

ActionRows gpipeOrders(int stages, int micro_batches) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s) orders.push_back(orderOf(StageId(s), micro_batches, micro_batches));
  return orders;
}

ActionRows oneForwardOneBackwardOrders(int stages, int micro_batches, int warm_up) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s)
    orders.push_back(orderOf(StageId(s), std::min(micro_batches, warmUpOf(s, stages, warm_up, 1)), micro_batches));
  return orders;
}

ActionRows splitOrders(int stages, int micro_batches, int warm_up, bool delayed) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s) {
    const int own = warmUpOf(s, stages, warm_up, 1);
    orders.push_back(orderOf(StageId(s), std::min(micro_batches, own), micro_batches, delayed ? warm_up - own : 0));
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
  return merged(request, gpipeOrders(request.stages(), request.micro_batches));
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
