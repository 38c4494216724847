// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/map_table.h"

#include <map>

#include "base/csv.h"
#include "engine/placement/tree_sizes.h"

namespace lanelab {
namespace {

std::map<MapDevice, MapShare> sharesOf(const MemoryLimits& limits) {
  std::map<MapDevice, MapShare> shares;
  for (const auto& [gpu, limit] : limits.gpus) shares[{MapDevice::Kind::Gpu, gpu}].limit = limit;
  if (limits.cpu) shares[{MapDevice::Kind::Cpu, 0}].limit = *limits.cpu;
  shares[{MapDevice::Kind::Disk, 0}].limit = limits.disk;
  return shares;
}

/// An entry that others may lie in, up to a place of the tree.
struct Enclosing {
  std::size_t entry, end;
};

}  // namespace

MapTable mapTable(const ModuleTree& tree, const DeviceMap& map, const MemoryLimits& limits) {
  const TreeSizes sizes(tree);
  MapTable table;
  table.total = sizes.total();
  std::vector<Enclosing> enclosing;
  for (std::size_t at = 0; at < sizes.nodes().size(); ++at) {
    const TreeNode& node = sizes.node(at);
    const auto place = map.places.find(node.path);
    if (place == map.places.end()) continue;
    while (!enclosing.empty() && enclosing.back().end <= at) enclosing.pop_back();
    if (!enclosing.empty()) table.entries[enclosing.back().entry].bytes -= node.bytes;
    enclosing.push_back({table.entries.size(), node.end});
    table.entries.push_back({node.path, std::string(node.class_name), place->second, node.bytes});
  }
  std::map<MapDevice, MapShare> shares = sharesOf(limits);
  for (const MapEntry& entry : table.entries) {
    MapShare& share = shares[entry.device];
    share.held += entry.bytes;
    ++share.entries;
  }
  for (auto& [device, share] : shares) {
    share.device = device;
    table.devices.push_back(share);
  }
  return table;
}

std::string mapCsv(const MapTable& table) {
  std::string csv;
  CsvTable rows(csv, "module,class,device,bytes");
  for (const MapEntry& entry : table.entries)
    rows.text(entry.path).text(entry.class_name).text(toString(entry.device)).integer(entry.bytes).endRow();
  return csv;
}

}  // namespace lanelab
