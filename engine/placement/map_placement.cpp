// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/map_placement.h"

#include <set>

#include "engine/placement/map_lookup.h"

namespace lanelab {
namespace {

/// More than one where the layer itself was split.
void addDevices(const DeviceMap& map, const std::string& layer, std::set<MapDevice>& devices) {
  const std::string inside = layer + ".";
  const auto first = map.places.lower_bound(inside);
  bool split = false;
  for (auto entry = first; entry != map.places.end() && entry->first.starts_with(inside); ++entry) {
    devices.insert(entry->second);
    split = true;
  }
  if (!split) devices.insert(placeOf(map, layer));
}

std::set<MapDevice> devicesOf(const DeviceMap& map, const BlockSpec& block) {
  std::set<MapDevice> devices;
  for (const LayerSpec& layer : block.layers)
    if (layer.parameters > 0) addDevices(map, layer.name, devices);
  return devices;
}

std::string nameOf(MapDevice device) {
  if (device.kind == MapDevice::Kind::Gpu) return "GPU " + std::to_string(device.gpu);
  return device.kind == MapDevice::Kind::Cpu ? "the CPU" : "disk";
}

Status checkLane(const BlockSpec& block, const std::set<MapDevice>& devices, int lanes) {
  const MapDevice first = *devices.begin();
  if (devices.size() > 1)
    return Error::failed(
        "{} is split over {} and {}, but a lane computes whole blocks: keep its class whole, or change the limits.",
        block.name, nameOf(first), nameOf(*devices.rbegin()));
  if (first.kind != MapDevice::Kind::Gpu)
    return Error::failed(
        "{} is on {}, which is not a lane. Raise the limits of the GPUs, which stand for the lanes from 0 on.",
        block.name, nameOf(first));
  if (first.gpu >= lanes)
    return Error::failed(
        "{} is on GPU {}, but the experiment has lanes 0 to {} only. Add a lane, or remove the limit of this GPU.",
        block.name, first.gpu, lanes - 1);
  return {};
}

}  // namespace

Result<Placement> placementOfMap(const ModelSpec& model, const DeviceMap& map, int lanes) {
  Placement placement;
  for (const BlockSpec& block : model.blocks) {
    const std::set<MapDevice> devices = devicesOf(map, block);
    if (devices.empty()) {
      placement.lane_of_block.push_back(placement.lane_of_block.empty() ? LaneId(0) : placement.lane_of_block.back());
      continue;
    }
    if (const Status lane = checkLane(block, devices, lanes); !lane.ok()) return lane.error();
    placement.lane_of_block.emplace_back(devices.begin()->gpu);
  }
  return placement;
}

}  // namespace lanelab
