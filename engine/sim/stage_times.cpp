// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/stage_times.h"

#include <cmath>

namespace lanelab {
namespace {

constexpr double kUnits = 1e6;

struct Seconds {
  double forward = 0;
  double backward = 0;
  double weight = 0;
};

Seconds secondsOf(const CostModel& costs, const Stage& stage) {
  Seconds sum;
  for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i) {
    sum.forward += costs.blocks[i].forward;
    sum.backward += costs.blocks[i].backward;
    sum.weight += costs.blocks[i].backward_weight;
  }
  const double slowness = costs.lane_slowness.empty() ? 1.0 : costs.lane_slowness[stage.lane.index()];
  return {sum.forward * slowness, sum.backward * slowness, sum.weight * slowness};
}

}  // namespace

std::vector<StageTimes> stageTimesOf(const CostModel& costs, const std::vector<Stage>& stages) {
  std::vector<Seconds> all;
  double whole = 0;
  for (const Stage& stage : stages) {
    all.push_back(secondsOf(costs, stage));
    whole += all.back().forward + all.back().backward;
  }
  const auto units = [&](double seconds) {
    return whole > 0 ? static_cast<std::int64_t>(std::llround(seconds / whole * kUnits)) : 0;
  };
  std::vector<StageTimes> times;
  for (const Seconds& seconds : all)
    times.push_back({units(seconds.forward), units(seconds.backward), units(seconds.weight)});
  return times;
}

}  // namespace lanelab
