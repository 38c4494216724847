// SPDX-License-Identifier: GPL-3.0-only
// The schedules that are an order for each stage, whatever lane it lies on: gpipe, 1f1b, zb-h1.
#include <algorithm>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

// With all forwards as warm-up this is GPipe, with S-s it is 1F1B.
std::vector<Action> wholeOrder(StageId stage, int warm_up, int micro_batches) {
  std::vector<Action> order;
  order.reserve(2 * static_cast<std::size_t>(micro_batches));
  int forwards = 0;
  const auto forward = [&] { order.push_back({stage, ActionKind::Forward, MicroBatchId(forwards++)}); };
  while (forwards < warm_up) forward();
  for (int backward = 0; backward < micro_batches; ++backward) {
    order.push_back({stage, ActionKind::Backward, MicroBatchId(backward)});
    if (forwards < micro_batches) forward();
  }
  return order;
}

std::vector<Action> splitOrder(StageId stage, int warm_up, int delay, int micro_batches) {
  std::vector<Action> order;
  order.reserve(3 * static_cast<std::size_t>(micro_batches));
  const auto add = [&](ActionKind kind, int k) { order.push_back({stage, kind, MicroBatchId(k)}); };
  int forwards = 0, weights = 0;
  while (forwards < warm_up) add(ActionKind::Forward, forwards++);
  for (int k = 0; k < micro_batches; ++k) {
    add(ActionKind::BackwardInput, k);
    if (k >= delay) add(ActionKind::BackwardWeight, weights++);
    if (forwards < micro_batches) add(ActionKind::Forward, forwards++);
  }
  while (weights < micro_batches) add(ActionKind::BackwardWeight, weights++);
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
  for (int s = 0; s < stages; ++s) orders.push_back(wholeOrder(StageId(s), micro_batches, micro_batches));
  return orders;
}

ActionRows oneForwardOneBackwardOrders(int stages, int micro_batches, int warm_up) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s)
    orders.push_back(wholeOrder(StageId(s), std::min(micro_batches, warmUpOf(s, stages, warm_up, 1)), micro_batches));
  return orders;
}

ActionRows splitOrders(int stages, int micro_batches, int warm_up, bool delayed) {
  ActionRows orders;
  for (int s = 0; s < stages; ++s) {
    const int own = warmUpOf(s, stages, warm_up, 1);
    orders.push_back(splitOrder(StageId(s), std::min(micro_batches, own), delayed ? warm_up - own : 0, micro_batches));
  }
  return orders;
}

}  // namespace lanelab
