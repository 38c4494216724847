// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/map_lookup.h"

#include <gtest/gtest.h>

#include "engine/networks/built_network.h"

namespace lanelab {
namespace {

constexpr MapDevice kCpu{MapDevice::Kind::Cpu, 0}, kDisk{MapDevice::Kind::Disk, 0};

TEST(MapLookup, TheLongestEntryDecides) {
  const auto map =
      parseDeviceMap(R"({"": "cpu", "layer1": 0, "layer1.0": "disk", "layer10": "cuda:3", "fc": "2"})", "m");
  ASSERT_TRUE(map.ok()) << map.error().message;
  EXPECT_EQ(placeOf(*map, "layer1.0.conv1.weight"), kDisk);
  EXPECT_EQ(placeOf(*map, "layer1.1.conv1.weight"), (MapDevice{MapDevice::Kind::Gpu, 0}));
  EXPECT_EQ(placeOf(*map, "layer10.0"), (MapDevice{MapDevice::Kind::Gpu, 3}));
  EXPECT_EQ(placeOf(*map, "fc.bias"), (MapDevice{MapDevice::Kind::Gpu, 2}));
  EXPECT_EQ(placeOf(*map, "conv1"), kCpu);
  EXPECT_TRUE(uses(*map, MapDevice::Kind::Disk));
}

TEST(MapLookup, ReadsWhatDeviceMapPrints) {
  const auto map = parseDeviceMap(R"({"device_map": {"net1": 0, "net2": "disk"}, "max_memory": {"0": 5}})", "m");
  ASSERT_TRUE(map.ok()) << map.error().message;
  EXPECT_EQ(map->places.size(), 2U);
  EXPECT_FALSE(uses(*map, MapDevice::Kind::Cpu));
}

TEST(MapLookup, ProblemsNameTheEntry) {
  for (const char* json : {R"({"a": "tpu"})", R"({"a": -1})", R"({"a": 1.5})", R"({"a": null})", R"({"a": "cuda:"})",
                           R"({"a": 99999999999})", "[]", "3"})
    EXPECT_FALSE(parseDeviceMap(json, "m").ok()) << json;
  const ModuleTree tree = *treeOfModel("toy", 5);
  const auto problem = [&](const std::string& json) {
    const Status fits = checkDeviceMap(*parseDeviceMap(json, "m"), tree, "m");
    return fits.ok() ? "none" : fits.error().message;
  };
  EXPECT_EQ(problem(R"({"": 0})"), "none");
  EXPECT_EQ(problem(R"({"net1": 0, "net2.weight": 1, "net2.bias": "cpu"})"), "none");
  EXPECT_NE(problem(R"({"net1": 0})").find("net2.weight has no place"), std::string::npos);
  EXPECT_NE(problem(R"({"": 0, "net3": 1})").find("net3"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
