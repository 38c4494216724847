// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/begun_record.h"

#include <algorithm>

#include "engine/experiment/lane_cores.h"
#include "engine/record/environment.h"

namespace lanelab {
namespace {

std::vector<std::vector<int>> chunksOfSteps(const TrainingLength& length, int replicas) {
  std::vector<std::vector<int>> sizes;
  for (int step = 0; step < length.steps; ++step)
    sizes.push_back(
        chunkSizes(length.samples_per_step[static_cast<std::size_t>(step) % length.samples_per_step.size()], replicas));
  return sizes;
}

VariantRecord begunVariant(const ResolvedVariant& resolved, const TrainingLength& length,
                           const std::vector<LaneForecast>& forecasts) {
  const VariantPlan& plan = *resolved.plan();
  VariantRecord variant;
  variant.name = plan.name;
  variant.strategy = plan.strategy;
  variant.stages = static_cast<int>(plan.stages.size());
  variant.split_size = plan.micro_batches.split_size;
  variant.micro_batches = plan.micro_batches.count();
  variant.modes = plan.modes;
  variant.replicas = plan.replicas();
  variant.step_barrier = plan.step_barrier;
  const std::vector<LaneConfig>& lanes = resolved.experiment().lanes;
  const std::vector<std::string> titles = laneTitles(lanes);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    variant.lanes.push_back({titles[lane], toString(lanes[lane].device), 0, 0, 0, 0});
    if (!plan.replica_lanes.empty()) variant.lanes.back().replica = replicaOfLane(plan.replica_lanes, LaneId(lane));
  }
  if (plan.strategy == Strategy::DataParallel) variant.replica_sizes = chunksOfSteps(length, plan.replicas());
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) variant.lanes[lane].forecast = forecasts[lane].at_peak;
  return variant;
}

}  // namespace

std::string utcText(std::time_t time, const char* format) {
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, format, &parts);
  return text;
}

std::string utcNow() { return utcText(std::time(nullptr)); }

RunRecord beginRecord(const Resolution& resolution, const TrainingLength& length,
                      const std::vector<std::vector<LaneForecast>>& forecasts, const Executor& executor) {
  const Experiment& experiment = resolution.experiment();
  RunRecord record;
  record.started = utcNow();
  record.experiment = experiment;
  record.unit = SampleUnit::of(resolution.model());
  record.environment = environmentFacts();
  for (const auto& fact : executor.describe()) record.environment.push_back(fact);
  for (const DeviceInfo& device : executor.devices()) {
    if (std::ranges::find(experiment.lanes, device.device, &LaneConfig::device) == experiment.lanes.end()) continue;
    record.environment.emplace_back(toString(device.device), device.description);
    if (!device.limits.empty()) record.environment.emplace_back(toString(device.device) + " limits", device.limits);
  }
  for (std::size_t i = 0; i < forecasts.size(); ++i)
    record.variants.push_back(begunVariant(resolution.variants()[i], length, forecasts[i]));
  return record;
}

}  // namespace lanelab
