// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/order_choice.h"

#include <algorithm>
#include <tuple>

namespace lanelab {
namespace {

constexpr double kWorthDepth = 0.99;
constexpr int kMostDepths = 4;
constexpr int kTriedCells = 20000;  // (stage, micro-batch) pairs

}  // namespace

OrderCost costOf(const Schedule& schedule, std::int64_t step, const std::vector<StageTimes>& times, WindowKind window) {
  if (window == WindowKind::Step) return {static_cast<double>(step), step, 0};
  return {periodOf(schedule, times), step, std::ranges::max(mostInFlight(schedule))};
}

bool isBetter(const OrderCost& one, const OrderCost& other) {
  return std::tie(one.window, one.step, one.held) < std::tie(other.window, other.step, other.held);
}

std::int64_t busiestLane(const Schedule& schedule, const std::vector<StageTimes>& times) {
  std::int64_t most = 0;
  for (const auto& row : schedule.lanes) {
    std::int64_t work = 0;
    for (const Action& action : row) work += durationOf(times[action.stage.index()], action.kind);
    most = std::max(most, work);
  }
  return most;
}

std::vector<int> depthsToTry(int stages, int most, WindowKind window) {
  std::vector<int> depths = {stages};
  if (window == WindowKind::Step) return depths;
  const int more = std::min(kMostDepths - 1, most - stages);
  for (int i = 1; i <= more; ++i) depths.push_back(stages + (most - stages) * i / more);
  return depths;
}

bool isWorthMore(const OrderCost& deeper, const OrderCost& cost) { return deeper.window < kWorthDepth * cost.window; }

int triedMicroBatches(int stages, int micro_batches) {
  return std::min(micro_batches, std::max(16, kTriedCells / stages));
}

}  // namespace lanelab
