#include "engine/plan/device_map_json.h"

#include "engine/base/json_text.h"

namespace lanelab {

std::string deviceMapJson(const DeviceMap& map, const MemoryLimits& limits) {
  Json places = Json::object();
  for (const auto& [path, device] : map.places) {
    if (device.kind == MapDevice::Kind::Gpu) {
      places[path] = device.gpu;
    } else {
      places[path] = toString(device);
    }
  }
  Json memory = Json::object();
  for (const auto& [gpu, limit] : limits.gpus) memory[std::to_string(gpu)] = limit;
  if (limits.cpu) memory["cpu"] = *limits.cpu;
  if (limits.disk) memory["disk"] = *limits.disk;
  return Json{{"device_map", std::move(places)}, {"max_memory", std::move(memory)}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace lanelab
