#include "engine/plan/map_table.h"

#include <map>

#include "engine/plan/tree_sizes.h"

namespace lanelab {
namespace {

std::map<MapDevice, MapShare> sharesOf(const MemoryLimits& limits) {
  std::map<MapDevice, MapShare> shares;
  for (const auto& [gpu, limit] : limits.gpus) shares[{MapDevice::Kind::Gpu, gpu}].limit = limit;
  if (limits.cpu) shares[{MapDevice::Kind::Cpu, 0}].limit = *limits.cpu;
  shares[{MapDevice::Kind::Disk, 0}].limit = limits.disk;
  return shares;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char letter : text) field += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return field + '"';
}

}  // namespace

MapTable mapTable(const ModuleTree& tree, const DeviceMap& map, const MemoryLimits& limits) {
  const TreeSizes sizes(tree);
  MapTable table;
  table.total = sizes.total();
  std::map<MapDevice, MapShare> shares = sharesOf(limits);
  for (const TreeNode& node : sizes.nodes()) {
    const auto place = map.places.find(node.path);
    if (place == map.places.end()) continue;
    table.entries.push_back({node.path, std::string(node.class_name), place->second, node.bytes});
    MapShare& share = shares[place->second];
    share.held += node.bytes;
    ++share.entries;
  }
  for (auto& [device, share] : shares) {
    share.device = device;
    table.devices.push_back(share);
  }
  return table;
}

std::string mapCsv(const MapTable& table) {
  std::string csv = "module,class,device,bytes\r\n";
  for (const MapEntry& entry : table.entries)
    csv += quoted(entry.path) + ',' + quoted(entry.class_name) + ',' + toString(entry.device) + ',' + std::to_string(entry.bytes) + "\r\n";
  return csv;
}

}  // namespace lanelab
