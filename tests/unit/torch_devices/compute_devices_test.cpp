// SPDX-License-Identifier: GPL-3.0-only
// Where modules compute: as accelerate's dispatch_model decides.
#include "engine/torch/devices/compute_devices.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

DeviceMap mapOf(std::initializer_list<std::pair<const std::string, MapDevice>> places) {
  DeviceMap map;
  map.places = places;
  return map;
}

constexpr MapDevice kGpu0{MapDevice::Kind::Gpu, 0}, kGpu1{MapDevice::Kind::Gpu, 1}, kCpu{MapDevice::Kind::Cpu, 0},
    kDisk{MapDevice::Kind::Disk, 0};

TEST(ComputeDevices, FollowTheMapWhereItsGpusAre) {
  struct Case {
    MapDevice place;
    int gpus;
    const char *home, *compute;
  };
  // With another module on GPU 1, which is the main device where the machine has it and the map does not name GPU 0.
  for (const Case& test :
       {Case{kGpu0, 2, "cuda:0", "cuda:0"}, Case{kGpu0, 0, "cpu", "cpu"}, Case{kGpu1, 2, "cuda:1", "cuda:1"},
        Case{kGpu1, 1, "cpu", "cpu"}, Case{kCpu, 2, "cpu", "cuda:1"}, Case{kCpu, 1, "cpu", "cpu"},
        Case{kDisk, 2, "cpu", "cuda:1"}, Case{kDisk, 0, "cpu", "cpu"}}) {
    const ComputeDevices devices(mapOf({{"a", test.place}, {"b", kGpu1}}), test.gpus);
    EXPECT_EQ(devices.home("a.weight").str(), test.home) << toString(test.place) << " of " << test.gpus;
    EXPECT_EQ(devices.compute("a.weight").str(), test.compute) << toString(test.place) << " of " << test.gpus;
    EXPECT_EQ(devices.onDisk("a.weight"), test.place == kDisk);
  }
}

TEST(ComputeDevices, AMissingGpuIsNamedOnceAndItsPartGoesToTheMainDevice) {
  const ComputeDevices devices(mapOf({{"a", kGpu1}, {"b", kGpu0}, {"c", kGpu1}}), 1);
  EXPECT_EQ(devices.missing(), std::vector<int>{1});
  EXPECT_EQ(devices.home("c").str(), "cpu");
  EXPECT_EQ(devices.compute("c").str(), "cuda:0");
  EXPECT_TRUE(devices.useGpus());
}

TEST(ComputeDevices, WithoutGpusInTheMapTheCpuComputes) {
  const ComputeDevices devices(mapOf({{"", kCpu}, {"b", kDisk}}), 8);
  EXPECT_EQ(devices.compute("a").str(), "cpu");
  EXPECT_EQ(devices.compute("b").str(), "cpu");
  EXPECT_FALSE(devices.useGpus());
  EXPECT_TRUE(devices.missing().empty());
}

}  // namespace
}  // namespace lanelab
