// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/torch/dry_run.h"

#include <iostream>

#include "base/json_text.h"
#include "base/text.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/record_json.h"
#include "engine/record/run_record.h"
#include "engine/report/comparison_text.h"

namespace lanelab {
namespace {

struct Dry {
  RunRecord record;                 ///< only names and forecasts
  std::vector<MemoryUse> memories;  ///< what is there, whoever needs it
  std::vector<std::string> warnings;
};

Result<Dry> forecastOf(const Resolution& resolution, const Executor& executor) {
  if (const Status planned = resolution.planned(); !planned.ok()) return planned.error();
  const Experiment& experiment = resolution.experiment();
  Dry dry;
  if (const Status fits = executor.checkMachine(resolution, dry.warnings); !fits.ok()) return fits.error();
  const std::vector<DeviceInfo> devices = executor.devices();
  const auto all_forecasts = forecastMemory(resolution);
  for (std::size_t v = 0; v < all_forecasts.size(); ++v) {
    const std::vector<LaneForecast>& forecasts = all_forecasts[v];
    dry.memories = memoryUse(experiment, forecasts, devices);
    VariantRecord& variant = dry.record.variants.emplace_back();
    variant.name = experiment.variants[v].name;
    for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
      LaneRecord& entry = variant.lanes.emplace_back();
      entry.name = experiment.lanes[lane].title();
      entry.device = toString(experiment.lanes[lane].device);
      entry.forecast = forecasts[lane].at_peak;
    }
  }
  for (std::string& sentence : memoryWarnings(experiment, all_forecasts, devices))
    dry.warnings.push_back(std::move(sentence));
  return dry;
}

std::string toJson(const Dry& dry) {
  Json variants = Json::array();
  for (const VariantRecord& variant : dry.record.variants) {
    Json lanes = Json::array();
    for (const LaneRecord& lane : variant.lanes) {
      lanes.push_back({{"name", lane.name},
                       {"device", lane.device},
                       {"forecast_bytes", lane.forecast.total()},
                       {"forecast", memoryToJson(lane.forecast)}});
    }
    variants.push_back({{"name", variant.name}, {"lanes", std::move(lanes)}});
  }
  Json memories = Json::array();
  for (const MemoryUse& use : dry.memories) memories.push_back({{"name", use.memory}, {"free_bytes", use.there}});
  return jsonText({{"variants", std::move(variants)}, {"memories", std::move(memories)}, {"warnings", dry.warnings}},
                  2) +
         "\n";
}

}  // namespace

Status dryRun(const Resolution& resolution, const Executor& executor, bool json) {
  const Result<Dry> dry = forecastOf(resolution, executor);
  if (!dry.ok()) return dry.error();
  for (const std::string& sentence : dry->warnings) std::cerr << "Warning: " << sentence << "\n";
  if (json) {
    std::cout << toJson(*dry);
    return {};
  }
  std::cout << "Nothing is run. Forecast of each lane's peak memory:\n" << memoryTable(dry->record);
  for (const MemoryUse& use : dry->memories) {
    if (use.there > 0) std::cout << "Free for tensors in " << use.memory << ": " << formatBytes(use.there) << "\n";
  }
  return {};
}

}  // namespace lanelab
