// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/variant_memory.h"

#include <algorithm>
#include <map>

namespace lanelab {
namespace {

// As the lanes' optimizer does it by operators (engine/torch/kernels/parameter_update.cpp): each parameter in turn.
int temporariesOf(const TrainingConfig& training) {
  const int decayed = training.weight_decay != 0 ? 1 : 0;
  return decayed + (training.optimizer == OptimizerKind::Adam || training.nesterov ? 1 : 0);
}

/// The reducer keeps a copy of all gradients in its buckets from the first step to the last.
void addBuckets(std::vector<LaneForecast>& forecasts) {
  for (LaneForecast& lane : forecasts) {
    const std::int64_t bytes = lane.at_peak.gradients;
    lane.at_peak.gradients += bytes;
    lane.resting.gradients += bytes;
  }
}

MemoryUse& useOf(std::vector<MemoryUse>& uses, const std::string& memory) {
  const auto known = std::ranges::find(uses, memory, &MemoryUse::memory);
  return known != uses.end() ? *known : uses.emplace_back(MemoryUse{memory, 0, 0});
}

}  // namespace

TrainingMemory trainingMemory(const Experiment& experiment, const ModelSpec& model, const TrainingModes& modes) {
  const TrainingConfig& training = experiment.training;
  TrainingMemory memory;
  memory.optimizer_tensors = optimizerStates(training);
  memory.update_temporaries = temporariesOf(training);
  memory.fused_update_temporaries = training.optimizer == OptimizerKind::Adam ? 1 : 0;
  memory.channels_last = training.layout == Layout::ChannelsLast;
  memory.rules = rulesOf(training, model);
  memory.loss_by_rows = usesFusedKernels(training);
  memory.simd = widestSimd();
  memory.steps = experiment.data.steps;
  memory.element_bytes = modes.precision == Precision::Bf16 ? 2 : 4;
  memory.recompute = modes.recompute;
  return memory;
}

std::vector<LaneMemoryTraits> laneMemoryTraits(const Experiment& experiment) {
  std::map<std::string, int> memories;
  std::vector<LaneMemoryTraits> lanes;
  for (const LaneConfig& lane : experiment.lanes) {
    const int memory = memories.emplace(memoryOfDevice(lane.device), static_cast<int>(memories.size())).first->second;
    lanes.push_back({lane.device.isCpu() ? lane.threads : 0, memory});
  }
  return lanes;
}

std::string memoryOfDevice(Device device) { return device.isCpu() ? "system memory" : toString(device); }

std::int64_t memoryThere(const std::string& memory, const std::vector<DeviceInfo>& devices) {
  for (const DeviceInfo& device : devices) {
    if (memoryOfDevice(device.device) == memory) return device.memory_bytes;
  }
  return 0;
}

std::vector<LaneForecast> forecastMemory(const ResolvedVariant& variant) {
  if (!variant.plan().ok()) return {};
  const VariantPlan& plan = *variant.plan();
  const Schedule one = plan.replicas() > 1 ? firstReplica(plan.schedule) : plan.schedule;
  std::vector<LaneForecast> forecasts = forecastMemory(ForecastQuestion{
      variant.model(), plan.stages, plan.micro_batches, one,
      trainingMemory(variant.experiment(), variant.model(), variant.modes()), laneMemoryTraits(variant.experiment())});
  if (forecasts.empty()) return forecasts;
  if (plan.strategy == Strategy::Ddp && plan.replicas() > 1) addBuckets(forecasts);
  for (std::size_t replica = 1; replica < plan.replica_lanes.size(); ++replica) {
    for (std::size_t s = 0; s < plan.stages.size(); ++s)
      forecasts[plan.replica_lanes[replica][s].index()] = forecasts[plan.stages[s].lane.index()];
  }
  return forecasts;
}

std::vector<MemoryUse> memoryUse(const Experiment& experiment, const std::vector<LaneForecast>& forecasts,
                                 const std::vector<DeviceInfo>& devices) {
  std::vector<MemoryUse> uses;
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const std::string memory = memoryOfDevice(experiment.lanes[lane].device);
    MemoryUse& use = useOf(uses, memory);
    use.needed += forecasts[lane].at_peak.total();
    use.there = memoryThere(memory, devices);
  }
  return uses;
}

std::vector<LaneOverLimit> lanesOverLimit(const Experiment& experiment, const std::vector<LaneForecast>& forecasts) {
  std::vector<LaneOverLimit> over;
  for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
    const std::int64_t limit = experiment.lanes[lane].memoryLimit(), needed = forecasts[lane].at_peak.total();
    if (limit > 0 && needed > limit) over.push_back({LaneId(lane), needed, limit});
  }
  return over;
}

double memoryExcess(const std::vector<LaneOverLimit>& over) {
  double excess = 0;
  for (const LaneOverLimit& lane : over)
    excess += static_cast<double>(lane.needed - lane.limit) / static_cast<double>(lane.limit);
  return excess;
}

bool hasMemoryLimits(const Experiment& experiment) {
  return std::ranges::any_of(experiment.lanes, [](const LaneConfig& lane) { return lane.memoryLimit() > 0; });
}

bool fitsLanes(const Experiment& experiment, const std::vector<LaneForecast>& forecasts,
               const std::vector<DeviceInfo>& devices) {
  return lanesOverLimit(experiment, forecasts).empty() &&
         std::ranges::all_of(memoryUse(experiment, forecasts, devices), &MemoryUse::fits);
}

std::vector<std::vector<LaneForecast>> forecastMemory(const Resolution& resolution) {
  std::vector<std::vector<LaneForecast>> forecasts;
  for (const ResolvedVariant& variant : resolution.variants()) forecasts.push_back(forecastMemory(variant));
  return forecasts;
}

}  // namespace lanelab
