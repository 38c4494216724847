// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/map_lookup.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/json_text.h"
#include "base/text.h"
#include "engine/placement/tree_sizes.h"

namespace lanelab {
namespace {

std::optional<int> gpuOf(const Json& value) {
  if (value.is_number_unsigned() &&
      value.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()))
    return value.get<int>();
  if (!value.is_string()) return std::nullopt;
  std::string text = value.get<std::string>();
  if (text.starts_with("cuda:")) text.erase(0, 5);
  return parseGpuNumber(text);
}

Json placesOf(const DeviceMap& map) {
  Json places = Json::object();
  for (const auto& [path, device] : map.places)
    places[path] = device.kind == MapDevice::Kind::Gpu ? Json(device.gpu) : Json(toString(device));
  return places;
}

std::optional<MapDevice> deviceOf(const Json& value) {
  if (value == "cpu") return MapDevice{MapDevice::Kind::Cpu, 0};
  if (value == "disk") return MapDevice{MapDevice::Kind::Disk, 0};
  const auto gpu = gpuOf(value);
  return gpu ? std::optional(MapDevice{MapDevice::Kind::Gpu, *gpu}) : std::nullopt;
}

/// The entry that a path lies in, going from the path itself outwards to "".
const MapDevice* entryOf(const DeviceMap& map, std::string_view path) {
  for (std::string part(path);;) {
    if (const auto found = map.places.find(part); found != map.places.end()) return &found->second;
    if (part.empty()) return nullptr;
    const std::size_t dot = part.rfind('.');
    part.resize(dot == std::string::npos ? 0 : dot);
  }
}

}  // namespace

MapDevice placeOf(const DeviceMap& map, std::string_view path) {
  const MapDevice* const entry = entryOf(map, path);
  return entry ? *entry : MapDevice{MapDevice::Kind::Cpu, 0};
}

bool uses(const DeviceMap& map, MapDevice::Kind kind) {
  return std::ranges::any_of(map.places, [&](const auto& entry) { return entry.second.kind == kind; });
}

std::string deviceMapJson(const DeviceMap& map, const MemoryLimits& limits) {
  Json memory = Json::object();
  for (const auto& [gpu, limit] : limits.gpus) memory[std::to_string(gpu)] = limit;
  if (limits.cpu) memory["cpu"] = *limits.cpu;
  if (limits.disk) memory["disk"] = *limits.disk;
  return jsonText({{"device_map", placesOf(map)}, {"max_memory", std::move(memory)}});
}

std::string placesJson(const DeviceMap& map) { return jsonText(placesOf(map), 2); }

Result<DeviceMap> parseDeviceMap(std::string_view json, const std::string& place) {
  const Result<Json> parsed = parseJsonText(json, place);
  if (!parsed.ok()) return parsed.error();
  const auto nested = parsed->is_object() ? parsed->find("device_map") : parsed->end();
  const Json& entries = parsed->is_object() && nested != parsed->end() && nested->is_object() ? *nested : *parsed;
  if (!entries.is_object())
    return Error::badInput("{}: a device map is an object, such as {\"model.embed_tokens\": 0, \"lm_head\": \"cpu\"}.",
                           place);
  DeviceMap map;
  for (const auto& [path, value] : entries.items()) {
    const auto device = deviceOf(value);
    if (!device)
      return Error::badInput("{}: \"{}\" is on {}, which is not a device. Write a GPU number, \"cpu\" or \"disk\".",
                             place, path, jsonText(value));
    map.places[path] = *device;
  }
  return map;
}

Status checkDeviceMap(const DeviceMap& map, const ModuleTree& tree, const std::string& place) {
  const TreeSizes sizes(tree);
  std::vector<std::string> paths;
  for (const TreeNode& node : sizes.nodes()) {
    paths.push_back(node.path);
    if (node.kind == TreeNode::Kind::Parameter && entryOf(map, node.path) == nullptr)
      return Error::badInput("{}: {} has no place: give its module one, or \"\", which is the whole network.", place,
                             node.path);
  }
  for (const auto& [path, device] : map.places) {
    if (std::ranges::find(paths, path) != paths.end()) continue;
    const std::string near = nearestName(path, paths);
    return Error::badInput("{}: the network has no module \"{}\"{}", place, path,
                           near.empty() ? "." : ": did you mean \"" + near + "\"?");
  }
  return {};
}

}  // namespace lanelab
