// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "engine/experiment/lane_cores.h"
#include "engine/torch/devices/cpu_cores.h"

namespace lanelab {
namespace {

std::vector<std::pair<int, int>> groups(const std::vector<std::pair<Device, int>>& lanes) {
  std::vector<LaneConfig> configs;
  for (const auto& [device, threads] : lanes) configs.push_back({device, "", threads});
  std::vector<std::pair<int, int>> result;
  for (const CoreGroup& group : coreGroups(configs)) result.emplace_back(group.first, group.threads);
  return result;
}

using Pairs = std::vector<std::pair<int, int>>;

TEST(CpuCores, ALaneOfOneThreadGetsTheCoreOfItsName) {
  EXPECT_EQ(groups({{Device::cpu(0), 1}, {Device::cpu(1), 1}}), (Pairs{{0, 1}, {1, 1}}));
  EXPECT_EQ(groups({{Device::cpu(3), 1}}), (Pairs{{3, 1}}));
}

TEST(CpuCores, WiderLanesPushTheNextOnesAside) {
  EXPECT_EQ(groups({{Device::cpu(0), 2}, {Device::cpu(1), 2}}), (Pairs{{0, 2}, {2, 2}}));
  EXPECT_EQ(groups({{Device::cpu(1), 1}, {Device::cpu(0), 2}}), (Pairs{{2, 1}, {0, 2}}));
}

TEST(CpuCores, LanesOfOneNameShareTheirCores) {
  EXPECT_EQ(groups({{Device::cpu(0), 1}, {Device::cpu(0), 1}}), (Pairs{{0, 1}, {0, 1}}));
}

TEST(CpuCores, APinnedThreadRunsOnItsCoreAlone) {
  const CpuCores& cores = CpuCores::ofThisMachine();
  int allowed = 0;
  std::thread([&] {
    cores.pinThread(cores.count() + 1, 1);  // beyond the cores: wraps
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    allowed = CPU_COUNT(&set);
  }).join();
  EXPECT_EQ(allowed, 1);
}

}  // namespace
}  // namespace lanelab
