// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/device_map.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>

#include "engine/placement/tree_sizes.h"

namespace lanelab {
namespace {

using Place = std::size_t;  ///< of a node in TreeSizes

/// One device with what it may hold.
struct Room {
  MapDevice device;
  std::optional<std::int64_t> limit;  ///< none: no end
  bool keeps_reserve = false;         ///< room for the largest layer that may have to come here to run
  std::int64_t used = 0;
};

std::vector<Room> roomsOf(const MemoryLimits& limits) {
  std::vector<Room> rooms;
  for (const auto& [gpu, limit] : limits.gpus) rooms.push_back({{MapDevice::Kind::Gpu, gpu}, limit, rooms.empty(), 0});
  if (limits.cpu) rooms.push_back({{MapDevice::Kind::Cpu, 0}, limits.cpu, true, 0});
  rooms.push_back({{MapDevice::Kind::Disk, 0}, std::nullopt, false, 0});
  return rooms;
}

/// The largest layers among those that wait: modules without children or of a class that is not split.
struct LargestLayers {
  std::int64_t bytes = 0;
  std::vector<Place> holders;
};

/// What has to come along with a module since it is tied to it.
struct TiedModules {
  std::int64_t bytes = 0;     ///< of the module with them
  std::vector<Place> places;  ///< a place for each tied parameter, so some may stand twice
};

class MapMaker {
 public:
  MapMaker(const ModuleTree& tree, const MemoryLimits& limits, std::span<const std::string> no_split)
      : m_sizes(tree),
        m_rooms(roomsOf(limits)),
        m_no_split(no_split.begin(), no_split.end()),
        m_largest_in(m_sizes.nodes().size()) {
    const TreeNode& root = m_sizes.node(0);
    for (const auto* group : {&root.parameters, &root.children, &root.buffers})
      m_queue.insert(m_queue.end(), group->begin(), group->end());
    findLargest(true);
  }

  Result<DeviceMap> make() {
    while (!m_queue.empty()) {
      const Place place = m_queue.front();
      m_queue.pop_front();
      if (const Status placed = treat(place); !placed.ok()) return placed.error();
    }
    merge("");
    return std::move(m_map);
  }

 private:
  bool isWhole(const TreeNode& node) const { return node.children.empty() || m_no_split.contains(node.class_name); }

  /// The largest layers within a node, of which there are few questions and many answers: so each is worked out once.
  const LargestLayers& largestIn(Place place) {
    std::optional<LargestLayers>& known = m_largest_in[place];
    if (known) return *known;
    const TreeNode& node = m_sizes.node(place);
    LargestLayers largest;
    if (isWhole(node)) {
      largest = {node.bytes, {place}};
    } else {
      for (const Place child : node.children) include(largest, largestIn(child));
    }
    return known.emplace(std::move(largest));
  }
  static void include(LargestLayers& all, const LargestLayers& some) {
    if (some.bytes > all.bytes) all = {some.bytes, {}};
    if (some.bytes == all.bytes) all.holders.insert(all.holders.end(), some.holders.begin(), some.holders.end());
  }
  void findLargest(bool with_tensors) {
    m_largest = {};
    for (const Place place : m_queue)
      if (with_tensors || m_sizes.node(place).kind == TreeNode::Kind::Module) include(m_largest, largestIn(place));
  }
  /// The module in hand is no longer among those that wait; when it held the largest layers, others take their place.
  void leaveOut(Place place) {
    std::erase_if(m_largest.holders, [&](Place holder) { return holder >= place && holder < m_sizes.node(place).end; });
    if (m_largest.holders.empty()) findLargest(false);
  }

  Status treat(Place place) {
    leaveOut(place);
    const TreeNode& node = m_sizes.node(place);
    const std::vector<std::string> tied = tiedOutside(node.path);
    const Result<TiedModules> together = withTied(node, tied);
    if (!together.ok()) return together.error();
    Room& room = m_rooms[m_room];
    const std::int64_t reserve = room.keeps_reserve ? m_largest.bytes : 0;
    if (!room.limit || room.used + together->bytes <= *room.limit - reserve) {
      put(place, *together);
      return {};
    }
    const std::int64_t limit = *room.limit - reserve;
    if (!tied.empty() && room.used + node.bytes <= limit && splitTied(place, together->places)) return {};
    if (room.used + node.bytes >= limit && !isWhole(node)) {
      queueParts(m_queue.begin(), node);
      findLargest(false);
      return {};
    }
    room.used += reserve;
    ++m_room;
    m_queue.push_front(place);
    return {};
  }

  /// Of each group that is partly within the module, the names outside. accelerate looks for the path anywhere in a
  /// name, not only at its begin.
  std::vector<std::string> tiedOutside(const std::string& path) const {
    std::vector<std::string> outside;
    const auto within = [&](const std::string& name) { return (name + ".").find(path + ".") != std::string::npos; };
    for (const TieGroup& group : m_sizes.ties()) {
      if (std::ranges::none_of(group, within)) continue;
      std::ranges::copy_if(group, std::back_inserter(outside), [&](const std::string& name) { return !within(name); });
    }
    return outside;
  }

  Result<TiedModules> withTied(const TreeNode& node, const std::vector<std::string>& tied) const {
    TiedModules together{node.bytes, {}};
    for (const std::string& name : tied) {
      const auto holder =
          std::ranges::find_if(m_queue, [&](Place place) { return name.starts_with(m_sizes.node(place).path + "."); });
      if (holder == m_queue.end())
        return Error::failed(
            "No map: {} is tied to {}, but its module was placed or split before. Keep them together with --no-split, "
            "or give the devices other limits.",
            name, node.path);
      together.places.push_back(*holder);
      together.bytes += m_sizes.node(*holder).bytes - bytesOfParameter(*holder, name);
    }
    return together;
  }
  std::int64_t bytesOfParameter(Place module, const std::string& name) const {
    for (Place place = module; place < m_sizes.node(module).end; ++place)
      if (m_sizes.node(place).path == name) return m_sizes.node(place).bytes;
    return 0;
  }

  void put(Place place, const TiedModules& together) {
    Room& room = m_rooms[m_room];
    room.used += together.bytes;
    m_map.places[m_sizes.node(place).path] = room.device;
    for (const Place tied : together.places) {
      std::erase(m_queue, tied);
      m_map.places[m_sizes.node(tied).path] = room.device;
    }
  }

  bool splitTied(Place place, const std::vector<Place>& tied) {
    const auto splittable = std::ranges::find_if(tied, [&](Place module) { return !isWhole(m_sizes.node(module)); });
    if (splittable == tied.end()) return false;
    const TreeNode& module = m_sizes.node(*splittable);
    queueParts(m_queue.erase(std::ranges::find(m_queue, *splittable)), module);
    m_queue.push_front(place);
    findLargest(false);
    return true;
  }

  /// What a module that is split consists of; its buffers get lost.
  void queueParts(std::deque<Place>::iterator at, const TreeNode& module) {
    at = m_queue.insert(at, module.children.begin(), module.children.end());
    m_queue.insert(at, module.parameters.begin(), module.parameters.end());
    for (const Place buffer : module.buffers) m_map.lost_buffers.push_back(m_sizes.node(buffer).path);
  }

  /// One entry for what lies on one device altogether (clean_device_map).
  void merge(const std::string& path) {
    const std::string prefix = path.empty() ? "" : path + ".";
    const auto inside = [&](const std::string& name) { return name.starts_with(prefix); };
    const auto first = m_map.places.lower_bound(prefix);
    auto last = first;
    bool same = true;
    std::size_t count = 0;
    for (; last != m_map.places.end() && inside(last->first); ++last, ++count)
      same = same && last->second == first->second;
    if (count > 1 && same) {
      const MapDevice device = first->second;
      m_map.places.erase(first, last);
      m_map.places[path] = device;
      return;
    }
    std::set<std::string> children;
    for (auto entry = first; entry != last; ++entry)
      if (entry->first.size() > path.size())
        children.insert(entry->first.substr(0, entry->first.find('.', prefix.size())));
    for (const std::string& child : children) merge(child);
  }

  TreeSizes m_sizes;
  std::vector<Room> m_rooms;
  std::set<std::string, std::less<>> m_no_split;
  std::deque<Place> m_queue;                               ///< what waits for its place
  std::vector<std::optional<LargestLayers>> m_largest_in;  ///< by place, once asked for
  LargestLayers m_largest;
  std::size_t m_room = 0;
  DeviceMap m_map;
};

}  // namespace

std::string toString(MapDevice device) {
  switch (device.kind) {
    case MapDevice::Kind::Gpu: return std::to_string(device.gpu);
    case MapDevice::Kind::Cpu: return "cpu";
    case MapDevice::Kind::Disk: break;
  }
  return "disk";
}

Result<DeviceMap> inferDeviceMap(const ModuleTree& tree, const MemoryLimits& limits,
                                 std::span<const std::string> no_split) {
  return MapMaker(tree, limits, no_split).make();
}

}  // namespace lanelab
