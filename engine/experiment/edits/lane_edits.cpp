// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/lane_edits.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "engine/experiment/edits/placement_edits.h"
#include "engine/experiment/edits/replica_edits.h"
#include "engine/experiment/variant_placement.h"
#include "engine/experiment/variant_replicas.h"

namespace lanelab {
namespace {

LaneId nearestOf(const std::vector<LaneId>& lanes, LaneId wanted) {
  return *std::ranges::min_element(lanes, {}, [&](LaneId lane) { return std::abs(lane.value - wanted.value); });
}

/// Where lane `lane` is after lane `removed` has gone and its work has moved to the neighbour.
LaneId afterRemoval(LaneId lane, LaneId removed) {
  if (lane == removed) return LaneId(std::max(0, removed.value - 1));
  return lane.value > removed.value ? LaneId(lane.value - 1) : lane;
}

void removeLaneFrom(VariantConfig& variant, LaneId removed) {
  if (!variant.lanes) return;
  std::vector<int> left;
  for (const int lane : *variant.lanes) {
    if (lane != removed.value) left.push_back(afterRemoval(LaneId(lane), removed).value);
  }
  if (left.empty()) left.push_back(afterRemoval(removed, removed).value);
  variant.lanes = left;
}

}  // namespace

void addLane(Experiment& experiment, Device device) {
  // Replicas of several lanes keep those they have: one more would leave a replica that is not whole.
  for (VariantConfig& variant : experiment.variants) {
    if (variant.strategy != Strategy::Ddp || variant.lanes || !variant.cuts || variant.cuts->empty()) continue;
    variant.lanes.emplace(experiment.lanes.size());
    std::iota(variant.lanes->begin(), variant.lanes->end(), 0);
  }
  experiment.lanes.push_back({device, {}});
}

void removeLane(Experiment& experiment, const ModelSpec& model, LaneId removed) {
  if (experiment.lanes.size() <= 1 || removed.value < 0 || removed.value >= static_cast<int>(experiment.lanes.size()))
    return;
  const Experiment before = experiment;
  experiment.lanes.erase(experiment.lanes.begin() + removed.value);
  for (std::size_t v = 0; v < experiment.variants.size(); ++v) {
    VariantConfig& variant = experiment.variants[v];
    Placement placement = readPlacement(before, model, before.variants[v]);
    for (LaneId& lane : placement.lane_of_block) lane = afterRemoval(lane, removed);
    removeLaneFrom(variant, removed);
    if (isReplicated(variant))
      settleReplicas(experiment, variant);
    else
      writePlacement(experiment, model, placement, variant);
  }
}

void setVariantLanes(const Experiment& experiment, const ModelSpec& model, const std::vector<LaneId>& lanes,
                     VariantConfig& variant) {
  if (lanes.empty()) return;
  Placement placement = readPlacement(experiment, model, variant);
  for (LaneId& lane : placement.lane_of_block) lane = nearestOf(lanes, lane);
  std::vector<int> numbers;
  for (const LaneId lane : lanes) numbers.push_back(lane.value);
  variant.lanes = numbers;
  if (isReplicated(variant)) settleReplicas(experiment, variant);
  if (lanes.size() == experiment.lanes.size() && std::is_sorted(lanes.begin(), lanes.end())) variant.lanes.reset();
  writePlacement(experiment, model, placement, variant);
}

std::vector<LaneConfig> withoutMemoryLimits(std::vector<LaneConfig> lanes) {
  for (LaneConfig& lane : lanes) lane.memory_limit_mib.reset();
  return lanes;
}

}  // namespace lanelab
