// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/map_table.h"

#include <gtest/gtest.h>

#include "engine/networks/built_network.h"
#include "engine/placement/map_lookup.h"
#include "engine/placement/map_placement.h"
#include "tests/support/described_model.h"

namespace lanelab {
namespace {

constexpr MapDevice kOnCpu{MapDevice::Kind::Cpu, 0}, kOnDisk{MapDevice::Kind::Disk, 0};

MapDevice gpu(int number) { return {MapDevice::Kind::Gpu, number}; }

DeviceMap mapFrom(const char* json) {
  auto map = parseDeviceMap(json, "m");
  EXPECT_TRUE(map.ok()) << map.error().message;
  return map.ok() ? std::move(*map) : DeviceMap{};
}

TEST(MapTable, EntriesInTheNetworksOrderAndDevicesAsAcceleratesOrder) {
  MemoryLimits limits;
  limits.gpus = {{0, 300}, {1, 400}};
  const MapTable table = mapTable(
      *treeOfModel("toy", 5), mapFrom(R"({"net2": "cpu", "relu": 1, "net1.weight": "disk", "net1.bias": 1})"), limits);
  ASSERT_EQ(table.entries.size(), 4U);
  EXPECT_EQ(table.entries[0].path, "net1.weight");
  EXPECT_EQ(table.entries[0].class_name, "Parameter");
  EXPECT_EQ(table.entries[3].path, "net2");
  EXPECT_EQ(table.entries[3].bytes, 220);
  EXPECT_EQ(table.total, 660);
  ASSERT_EQ(table.devices.size(), 4U);
  EXPECT_EQ(table.devices[0].device, gpu(0));
  EXPECT_EQ(table.devices[0].entries, 0U);
  EXPECT_EQ(table.devices[1].held, 40);
  EXPECT_EQ(table.devices[1].entries, 2U);
  EXPECT_EQ(table.devices[1].limit, 400);
  EXPECT_EQ(table.devices[2].device, kOnCpu);
  EXPECT_FALSE(table.devices[2].limit);
  EXPECT_EQ(table.devices[3].device, kOnDisk);
  EXPECT_EQ(table.devices[3].held, 400);
}

TEST(MapTable, WhatLiesInAnEntryAndHasItsOwnCountsOnce) {
  const MapTable table =
      mapTable(*treeOfModel("toy", 5), mapFrom(R"({"": 0, "net1": "cpu", "net1.bias": 0, "net2": "disk"})"), {});
  std::vector<std::int64_t> bytes;
  for (const MapEntry& entry : table.entries) bytes.push_back(entry.bytes);
  EXPECT_EQ(bytes, (std::vector<std::int64_t>{0, 400, 40, 220}));
  ASSERT_EQ(table.devices.size(), 3U);
  EXPECT_EQ(table.devices[0].held, 40);
  EXPECT_EQ(table.devices[1].held, 400);
  EXPECT_EQ(table.devices[2].held, 220);
}

TEST(MapTable, CsvAndJsonSayTheSame) {
  const DeviceMap map = mapFrom(R"({"net1": 0, "relu": 0, "net2": "cpu"})");
  EXPECT_EQ(mapCsv(mapTable(*treeOfModel("toy", 5), map, {})),
            "module,class,device,bytes\r\nnet1,Linear,0,440\r\nrelu,ReLU,0,0\r\nnet2,Linear,cpu,220\r\n");
  EXPECT_EQ(mapFrom(placesJson(map).c_str()).places, map.places);
  EXPECT_NE(placesJson(map).find("\n  \"net1\": 0"), std::string::npos)
      << "GPUs are whole numbers: " << placesJson(map);
}

TEST(MapPlacement, GpusStandForLanes) {
  const ModelSpec model = *test::describeModel("resnet18", 10, {3, 32, 32});
  const auto placement = placementOfMap(
      model,
      mapFrom(R"({"conv1": 0, "bn1": 0, "relu": 0, "maxpool": 0, "layer1": 0, "layer2.0": 0, "layer2.1": 1, "layer3": 1,
                                                         "layer4": 1, "avgpool": 1, "fc": 1})"),
      2);
  ASSERT_TRUE(placement.ok()) << placement.error().message;
  EXPECT_EQ(cutNames(model, *placement), std::vector<std::string>{"layer2.1"});
  EXPECT_EQ(placement->lane_of_block.front(), LaneId(0));
  EXPECT_EQ(placementOfMap(model, mapFrom(R"({"": 0})"), 1)->lane_of_block, std::vector<LaneId>(10, LaneId(0)));
  const auto toy =
      placementOfMap(*test::describeModel("toy", 5, {10}), mapFrom(R"({"net1": 0, "relu": 1, "net2": 1})"), 2);
  ASSERT_TRUE(toy.ok());
  EXPECT_EQ(toy->lane_of_block, (std::vector<LaneId>{LaneId(0), LaneId(0), LaneId(1)}))
      << "what has no weights stays with the block before it";
}

TEST(MapPlacement, WhatFitsOnNoLaneIsNamedWithTheFix) {
  const ModelSpec model = *test::describeModel("resnet18", 10, {3, 32, 32});
  const auto problem = [&](const char* json, int lanes) {
    const auto placement = placementOfMap(model, mapFrom(json), lanes);
    return placement.ok() ? "none" : placement.error().message;
  };
  EXPECT_NE(problem(R"({"": 0, "layer3.0.conv2": 1})", 2).find("layer3.0 is split over GPU 0 and GPU 1"),
            std::string::npos);
  EXPECT_NE(problem(R"({"": 0, "fc.weight": 0, "fc.bias": 1})", 2).find("head is split"), std::string::npos)
      << "a layer of two devices";
  EXPECT_NE(problem(R"({"": 0, "layer4": "cpu"})", 2).find("layer4.0 is on the CPU"), std::string::npos);
  EXPECT_NE(problem(R"({"": 0, "fc": "disk"})", 2).find("head is on disk"), std::string::npos);
  EXPECT_NE(problem(R"({"": 0, "layer4": 2})", 2).find("GPU 2, but the experiment has lanes 0 to 1"),
            std::string::npos);
}

}  // namespace
}  // namespace lanelab
