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

TEST(SharedCores, MoreLanesThanCoresAreNamedWithTheFix) {
  EXPECT_EQ(sharedCoresWarning(lanesOn({Device::cpu(0), Device::cpu(1), Device::cpu(0)}), 2),
            "3 lanes share 2 CPU cores, so timings are not meaningful. Use at most 2 lanes.");
}

TEST(SharedCores, ThreadsCountToo) {
  std::vector<LaneConfig> lanes = lanesOn({Device::cpu(0), Device::cpu(1)});
  lanes[1].threads = 2;
  EXPECT_EQ(sharedCoresWarning(lanes, 2),
            "2 lanes with 3 threads share 2 CPU cores, so timings are not meaningful. Use at most 2 threads in total.");
  EXPECT_EQ(sharedCoresWarning(lanes, 3), "");
}

TEST(SharedCores, TwoLanesOnOneCoreAreNamedThoughOthersAreFree) {
  EXPECT_EQ(sharedCoresWarning(lanesOn({Device::cpu(1), Device::cpu(0), Device::cpu(1)}), 4),
            "Lanes 0 and 2 share CPU core 1, so timings are not meaningful. Move one to a free core.");
}

TEST(SharedCores, LanesOfTheirOwnAndGpusSayNothing) {
  EXPECT_EQ(sharedCoresWarning(lanesOn({Device::cpu(0), Device::cpu(1), Device::cuda(0), Device::cuda(0)}), 2), "");
  EXPECT_EQ(sharedCoresWarning(lanesOn({Device::cpu(0), Device::cpu(0)}), 0), "") << "the machine is not known";
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
