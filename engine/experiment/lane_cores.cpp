// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/lane_cores.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/experiment/variant_replicas.h"

namespace lanelab {
namespace {

/// The lanes of each core of the machine, by index.
std::map<int, std::vector<std::size_t>> lanesOfCores(const std::vector<LaneConfig>& lanes, int cores) {
  std::map<int, std::vector<std::size_t>> all;
  const std::vector<CoreGroup> groups = coreGroups(lanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (!lanes[i].device.isCpu()) continue;
    for (int core = 0; core < std::min(groups[i].threads, cores); ++core)
      all[(groups[i].first + core) % cores].push_back(i);
  }
  return all;
}

SharedCores tooManyThreads(int lanes, int threads, int cores) {
  const std::string who = counted(lanes, "lane") + (threads > lanes ? " with " + counted(threads, "thread") : "");
  const std::string most = threads > lanes ? counted(cores, "thread") + " in total" : counted(cores, "lane");
  return {who + (lanes == 1 ? " has " : " share ") + counted(cores, "CPU core"), "Use at most " + most + ".", threads};
}

}  // namespace

std::vector<CoreGroup> coreGroups(const std::vector<LaneConfig>& lanes) {
  std::map<int, int> threads_of;
  for (const LaneConfig& lane : lanes) {
    if (!lane.device.isCpu()) continue;
    int& threads = threads_of[lane.device.index];
    threads = std::max(threads, lane.threads);
  }
  std::map<int, int> first_of;
  int next = 0;
  for (const auto& [number, threads] : threads_of) {
    first_of[number] = std::max(next, number);
    next = first_of[number] + threads;
  }
  std::vector<CoreGroup> groups;
  for (const LaneConfig& lane : lanes) {
    groups.push_back(lane.device.isCpu() ? CoreGroup{first_of[lane.device.index], lane.threads} : CoreGroup{});
  }
  return groups;
}

std::optional<SharedCores> sharedCores(const std::vector<LaneConfig>& lanes, int cores) {
  if (cores < 1) return std::nullopt;
  int cpu_lanes = 0, threads = 0;
  for (const LaneConfig& lane : lanes) {
    if (!lane.device.isCpu()) continue;
    ++cpu_lanes;
    threads += lane.threads;
  }
  if (threads > cores) return tooManyThreads(cpu_lanes, threads, cores);
  for (const auto& [core, sharing] : lanesOfCores(lanes, cores)) {
    if (sharing.size() < 2) continue;
    const std::vector<std::string> titles = laneTitles(lanes);
    return SharedCores{titles[sharing[0]] + " and " + titles[sharing[1]] + " share CPU core " + std::to_string(core),
                       "Move one to a free core.", threads};
  }
  return std::nullopt;
}

std::vector<LaneConfig> lanesAtOnce(const Experiment& experiment, const VariantConfig& variant, int rank) {
  std::vector<LaneId> lanes = variantLanes(experiment, variant);
  const auto keepFirst = [&](std::size_t most) {
    if (lanes.size() > most) lanes.resize(most);
  };
  if (variant.strategy == Strategy::Single || variant.strategy == Strategy::ModelParallel) {
    keepFirst(1);
  } else if (variant.placement) {
    std::erase_if(lanes, [&](LaneId lane) {
      return std::ranges::none_of(*variant.placement, [&](const auto& block) { return block.second == lane.value; });
    });
  } else if (variant.cuts && !isReplicated(variant)) {
    keepFirst(variant.cuts->size() + 1);
  }
  std::vector<LaneConfig> configs;
  for (const LaneId lane : lanes)
    if (experiment.lanes[lane.index()].rank == rank) configs.push_back(experiment.lanes[lane.index()]);
  return configs;
}

std::string sharedCoresWarning(const Experiment& experiment, int cores, int rank) {
  std::optional<SharedCores> most;
  for (const VariantConfig& variant : experiment.variants) {
    const auto shared = sharedCores(lanesAtOnce(experiment, variant, rank), cores);
    if (shared && (!most || shared->threads > most->threads)) most = shared;
  }
  return most ? most->who + ", so timings are not meaningful. " + most->advice : "";
}

std::string namedLanesWarning(const Experiment& experiment, int cores) {
  Experiment named = experiment;
  for (VariantConfig& variant : named.variants) variant.placement.reset(), variant.cuts.reset();
  return sharedCoresWarning(named, cores);
}

int coreCount(const std::vector<DeviceInfo>& devices) {
  return static_cast<int>(std::ranges::count_if(devices, [](const DeviceInfo& info) { return info.device.isCpu(); }));
}

Device freeDevice(const std::vector<LaneConfig>& lanes, const std::vector<DeviceInfo>& devices) {
  const int cores = coreCount(devices);
  const auto used = lanesOfCores(lanes, std::max(cores, 1));
  for (const DeviceInfo& info : devices) {
    const bool named = std::ranges::find(lanes, info.device, &LaneConfig::device) != lanes.end();
    const bool busy = info.device.isCpu() && used.contains(info.device.index % std::max(cores, 1));
    if (!named && !busy) return info.device;
  }
  const DeviceInfo* best = nullptr;
  std::size_t fewest = lanes.size() + 1;
  for (const DeviceInfo& info : devices) {
    const auto sharing = used.find(info.device.index % std::max(cores, 1));
    const std::size_t count = sharing == used.end() ? 0 : sharing->second.size();
    if (!info.device.isCpu() || count >= fewest) continue;
    best = &info;
    fewest = count;
  }
  if (best != nullptr) return best->device;
  return lanes.empty() ? Device() : lanes.back().device;
}

std::vector<std::string> laneTitles(const std::vector<LaneConfig>& lanes) {
  std::set<std::string> own;
  for (const LaneConfig& lane : lanes) own.insert(lane.title());
  std::set<std::string> given;
  std::vector<std::string> titles;
  for (const LaneConfig& lane : lanes) {
    std::string title = lane.title();
    // The number must not make it another lane's own name.
    for (int number = 1; given.contains(title) || (number > 1 && own.contains(title));)
      title = lane.title() + " (" + std::to_string(++number) + ")";
    given.insert(title);
    titles.push_back(std::move(title));
  }
  return titles;
}

}  // namespace lanelab
