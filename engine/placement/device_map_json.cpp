// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/device_map_json.h"

#include "base/json_text.h"

namespace lanelab {
namespace {

Json placesOf(const DeviceMap& map) {
  Json places = Json::object();
  for (const auto& [path, device] : map.places) {
    if (device.kind == MapDevice::Kind::Gpu) {
      places[path] = device.gpu;
    } else {
      places[path] = toString(device);
    }
  }
  return places;
}

}  // namespace

std::string deviceMapJson(const DeviceMap& map, const MemoryLimits& limits) {
  Json memory = Json::object();
  for (const auto& [gpu, limit] : limits.gpus) memory[std::to_string(gpu)] = limit;
  if (limits.cpu) memory["cpu"] = *limits.cpu;
  if (limits.disk) memory["disk"] = *limits.disk;
  return jsonText({{"device_map", placesOf(map)}, {"max_memory", std::move(memory)}});
}

std::string placesJson(const DeviceMap& map) { return jsonText(placesOf(map), 2); }

}  // namespace lanelab
