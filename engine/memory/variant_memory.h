// SPDX-License-Identifier: GPL-3.0-only
// The memory forecast of a variant as an experiment says it.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/resolution.h"
#include "engine/memory/memory_forecast.h"

namespace lanelab {

/// What the optimizer, the numbers and the layout mean for memory.
TrainingMemory trainingMemory(const Experiment& experiment, const ModelSpec& model, const TrainingModes& modes);

/// Of each lane of the experiment.
std::vector<LaneMemoryTraits> laneMemoryTraits(const Experiment& experiment);

/// One forecast for each lane of the experiment; all 0 where a lane has no work. Empty only for a variant without a
/// plan, and a schedule that cannot be executed.
std::vector<LaneForecast> forecastMemory(const ResolvedVariant& variant);
/// Of each variant.
std::vector<std::vector<LaneForecast>> forecastMemory(const Resolution& resolution);

/// What the lanes of one memory need together, and what it has.
struct MemoryUse {
  std::string memory;  ///< as memoryOfDevice says
  std::int64_t needed = 0;
  std::int64_t there = 0;  ///< 0: not known
  bool fits() const { return there == 0 || needed <= there; }
};
/// Of one variant that runs alone, in the order of the lanes.
std::vector<MemoryUse> memoryUse(const Experiment& experiment, const std::vector<LaneForecast>& forecasts,
                                 const std::vector<DeviceInfo>& devices);

/// A lane whose forecast is above its own limit.
struct LaneOverLimit {
  LaneId lane;
  std::int64_t needed = 0;
  std::int64_t limit = 0;
};
/// Above their limits, added up as shares of these.
double memoryExcess(const std::vector<LaneOverLimit>& over);
bool hasMemoryLimits(const Experiment& experiment);
std::vector<LaneOverLimit> lanesOverLimit(const Experiment& experiment, const std::vector<LaneForecast>& forecasts);

/// Whether one variant that runs alone keeps within the limits of its lanes and the memory of the devices; without
/// devices within the limits alone.
bool fitsLanes(const Experiment& experiment, const std::vector<LaneForecast>& forecasts,
               const std::vector<DeviceInfo>& devices);

/// Bytes of a memory that one of the devices has; 0: not known.
std::int64_t memoryThere(const std::string& memory, const std::vector<DeviceInfo>& devices);

/// Which memory a device's tensors lie in: "system memory" for all CPU lanes, else the device without its slice
/// ("cuda:0" for "cuda:0/sm:32").
std::string memoryOfDevice(Device device);

}  // namespace lanelab
