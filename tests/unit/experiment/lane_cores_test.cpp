// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/lane_cores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanelab {
namespace {

using ::testing::ElementsAre;

std::vector<LaneConfig> lanesOn(const std::vector<Device>& devices) {
  std::vector<LaneConfig> lanes;
  for (const Device device : devices) lanes.push_back({device, ""});
  return lanes;
}

std::vector<DeviceInfo> twoCores() { return {{Device::cpu(0), "core 0"}, {Device::cpu(1), "core 1"}}; }

TEST(LaneTitles, LanesOnOneDeviceAreToldApart) {
  const std::vector<LaneConfig> lanes = lanesOn({Device::cpu(0), Device::cpu(1), Device::cpu(1), Device::cpu(1)});
  EXPECT_THAT(laneTitles(lanes), ElementsAre("cpu:0", "cpu:1", "cpu:1 (2)", "cpu:1 (3)"));
}

TEST(LaneTitles, AUsersNameIsNotTakenByAnother) {
  std::vector<LaneConfig> lanes = lanesOn({Device::cpu(1), Device::cpu(1), Device::cpu(0), Device::cpu(0)});
  lanes[2].name = "cpu:1 (2)";
  lanes[3].name = "cpu:1";
  EXPECT_THAT(laneTitles(lanes), ElementsAre("cpu:1", "cpu:1 (3)", "cpu:1 (2)", "cpu:1 (4)"));
}

std::string whoShares(const std::vector<LaneConfig>& lanes, int cores) {
  const auto shared = sharedCores(lanes, cores);
  return shared ? shared->who + ". " + shared->advice : "";
}

TEST(SharedCores, MoreLanesThanCoresAreNamedWithTheFix) {
  EXPECT_EQ(whoShares(lanesOn({Device::cpu(0), Device::cpu(1), Device::cpu(0)}), 2),
            "3 lanes share 2 CPU cores. Use at most 2 lanes.");
}

TEST(SharedCores, ThreadsCountToo) {
  std::vector<LaneConfig> lanes = lanesOn({Device::cpu(0), Device::cpu(1)});
  lanes[1].threads = 2;
  EXPECT_EQ(whoShares(lanes, 2), "2 lanes with 3 threads share 2 CPU cores. Use at most 2 threads in total.");
  EXPECT_EQ(whoShares(lanes, 3), "");
}

TEST(SharedCores, TwoLanesOnOneCoreAreNamedThoughOthersAreFree) {
  EXPECT_EQ(whoShares(lanesOn({Device::cpu(1), Device::cpu(0), Device::cpu(1)}), 4),
            "cpu:1 and cpu:1 (2) share CPU core 1. Move one to a free core.");
}

TEST(SharedCores, LanesOfTheirOwnAndGpusSayNothing) {
  EXPECT_EQ(whoShares(lanesOn({Device::cpu(0), Device::cpu(1), Device::cuda(0), Device::cuda(0)}), 2), "");
  EXPECT_EQ(whoShares(lanesOn({Device::cpu(0), Device::cpu(0)}), 0), "") << "the machine is not known";
}

TEST(SharedCores, OnlyLanesThatComputeAtOnceCount) {
  struct Case {
    const char* what;
    Strategy strategy;
    std::optional<std::vector<std::string>> cuts;
    std::optional<std::vector<int>> lanes;
    std::string warning;
  };
  const std::string three = "3 lanes share 2 CPU cores, so timings are not meaningful. Use at most 2 lanes.";
  for (const Case& each : std::vector<Case>{
           {"one lane", Strategy::Single, std::nullopt, std::nullopt, ""},
           {"by turns", Strategy::ModelParallel, {{"a", "b"}}, std::nullopt, ""},
           {"a stage each", Strategy::Pipeline, {{"a", "b"}}, std::nullopt, three},
           {"two stages of three lanes", Strategy::Pipeline, {{"a"}}, std::nullopt, ""},
           {"two lanes are named", Strategy::Pipeline, {{"a", "b"}}, {{0, 1}}, ""},
           {"the third has the first one's core",
            Strategy::Pipeline,
            {{"a", "b"}},
            {{0, 2}},
            "cpu:0 and cpu:2 share CPU core 0, so timings are not meaningful. Move one to a free core."},
           {"replicas", Strategy::DataParallel, std::nullopt, std::nullopt, three},
       }) {
    Experiment experiment;
    experiment.lanes = lanesOn({Device::cpu(0), Device::cpu(1), Device::cpu(2)});
    VariantConfig variant;
    variant.strategy = each.strategy;
    variant.cuts = each.cuts;
    variant.lanes = each.lanes;
    experiment.variants = {variant};
    EXPECT_EQ(sharedCoresWarning(experiment, 2), each.warning) << each.what;
  }
}

TEST(FreeDevice, ComesBeforeOneThatIsTaken) {
  EXPECT_EQ(freeDevice(lanesOn({Device::cpu(1)}), twoCores()), Device::cpu(0));
  EXPECT_EQ(freeDevice(lanesOn({Device::cpu(0), Device::cpu(1)}), twoCores()), Device::cpu(0));
  EXPECT_EQ(freeDevice(lanesOn({Device::cpu(0), Device::cpu(1), Device::cpu(0)}), twoCores()), Device::cpu(1))
      << "the core with the fewest lanes";
}

TEST(FreeDevice, SkipsCoresThatAWideLaneCovers) {
  std::vector<LaneConfig> lanes = lanesOn({Device::cpu(0)});
  lanes[0].threads = 2;
  const std::vector<DeviceInfo> cores = {{Device::cpu(0), ""}, {Device::cpu(1), ""}, {Device::cpu(2), ""}};
  EXPECT_EQ(freeDevice(lanes, cores), Device::cpu(2));
}

}  // namespace
}  // namespace lanelab
