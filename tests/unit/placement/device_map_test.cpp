// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/device_map.h"

#include <gtest/gtest.h>

#include "engine/networks/built_network.h"
#include "engine/placement/map_lookup.h"
#include "engine/placement/tree_sizes.h"

namespace lanelab {
namespace {

/// ModelForTest of accelerate's own tests: Linear(3, 4), BatchNorm1d(4), Linear(4, 5), 64 + 72 + 100 bytes.
std::string modelForTest(const std::string& tie = "") {
  const std::string tied = tie.empty() ? "" : R"(, "tie": ")" + tie + "\"";
  const std::string first = tie.empty() ? "[4, 3]" : "[4, 4]", second = tie.empty() ? "[5, 4]" : "[4, 4]";
  return R"({"class": "ModelForTest", "children": {
    "linear1": {"class": "Linear", "parameters": {"weight": {"shape": )" +
         first + R"(, "dtype": "float32")" + tied + R"(}, "bias": {"shape": [4], "dtype": "float32"}}},
    "batchnorm": {"class": "BatchNorm1d", "parameters": {"weight": {"shape": [4], "dtype": "float32"}, "bias": {"shape": [4], "dtype": "float32"}},
      "buffers": {"running_mean": {"shape": [4], "dtype": "float32"}, "running_var": {"shape": [4], "dtype": "float32"},
                  "num_batches_tracked": {"shape": [], "dtype": "int64"}}},
    "linear2": {"class": "Linear", "parameters": {"weight": {"shape": )" +
         second + R"(, "dtype": "float32")" + tied + R"(}, "bias": {"shape": [5], "dtype": "float32"}}}}})";
}

ModuleTree treeFrom(const std::string& json) {
  auto tree = parseModuleTree(json, "tree");
  EXPECT_TRUE(tree.ok()) << tree.error().message;
  return tree.ok() ? std::move(*tree) : ModuleTree{};
}

MemoryLimits limitsFrom(const std::vector<std::string>& texts) {
  MemoryLimits limits;
  for (const std::string& text : texts) {
    const Status added = addMemoryLimit(limits, text);
    EXPECT_TRUE(added.ok()) << added.error().message;
  }
  return limits;
}

struct Mapped {
  std::string json;
  std::vector<std::string> lost;
};

Mapped mapped(const ModuleTree& tree, const std::vector<std::string>& limits, MapPolicy policy,
              const std::vector<std::string>& no_split = {}) {
  const auto balanced = balancedMemory(tree, limitsFrom(limits), no_split, policy);
  if (!balanced.ok()) return {balanced.error().message, {}};
  const auto map = inferDeviceMap(tree, *balanced, no_split);
  return map.ok() ? Mapped{deviceMapJson(*map, *balanced), map->lost_buffers} : Mapped{map.error().message, {}};
}

TEST(MemorySize, IsReadAsAccelerateReadsIt) {
  const std::pair<const char*, std::int64_t> sizes[] = {
      {"0", 0},           {"123", 123},         {"1GiB", 1 << 30},    {"1.5MiB", 1572864},
      {"0.1KiB", 102},    {"5GB", 5000000000},  {"5Gb", 625000000},   {"5gb", 625000000},
      {"2e3KB", 2000000}, {"3gib", 3221225472}, {"3Gib", 3221225472}, {" 7 MB ", 7000000}};
  for (const auto& [text, bytes] : sizes) {
    const auto parsed = parseMemorySize(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, bytes) << text;
  }
  for (const char* text : {"", "GB", "five", "-1", "-1GB", "1TB", "infGB", "nanGB", "1e30GB", "12 34", "0x10"})
    EXPECT_FALSE(parseMemorySize(text).ok()) << text;
}

TEST(MemoryLimit, NamesItsDevice) {
  EXPECT_EQ(limitsFrom({"cpu=5", "1=20KB", "0=1", "disk=7"}), (MemoryLimits{{{0, 1}, {1, 20000}}, 5, 7}));
  MemoryLimits limits = limitsFrom({"0=1", "cpu=1"});
  for (const char* text : {"0=2", "cpu=2", "gpu=1", "-1=5", "0", "=5", "1=", "mps=3"})
    EXPECT_FALSE(addMemoryLimit(limits, text).ok()) << text;
}

TEST(DeviceMap, EqualsAcceleratesOwnTests) {
  const ModuleTree tree = treeFrom(modelForTest());
  EXPECT_EQ(mapped(tree, {"0=300", "1=300"}, MapPolicy::Balanced)
                .json.substr(mapped(tree, {"0=300", "1=300"}, MapPolicy::Balanced).json.find("\"max_memory")),
            R"("max_memory":{"0":215,"1":300}})");
  EXPECT_NE(mapped(tree, {"0=0", "1=300", "2=300"}, MapPolicy::Balanced)
                .json.find(R"("max_memory":{"0":0,"1":215,"2":300}})"),
            std::string::npos);
  EXPECT_EQ(mapped(tree, {"0=200", "1=200"}, MapPolicy::Sequential).json,
            R"({"device_map":{"batchnorm":1,"linear1":0,"linear2":1},"max_memory":{"0":200,"1":200}})");
  const ModuleTree three = treeFrom(R"({"class": "Sequential", "children": {"0": )" + modelForTest() + R"(, "1": )" +
                                    modelForTest() + R"(, "2": )" + modelForTest() + "}}");
  EXPECT_EQ(
      mapped(three, {"0=500", "1=500"}, MapPolicy::Sequential).json,
      R"({"device_map":{"0":0,"1.batchnorm":0,"1.linear1":0,"1.linear2":1,"2":1},"max_memory":{"0":500,"1":500}})");
  EXPECT_EQ(mapped(three, {"0=500", "1=500"}, MapPolicy::Sequential, {"ModelForTest"}).json,
            R"({"device_map":{"0":0,"1":1,"2":1},"max_memory":{"0":500,"1":500}})");
}

TEST(DeviceMap, TiedWeightsStayTogetherAndCountOnce) {
  const ModuleTree tree = treeFrom(modelForTest("shared"));
  EXPECT_EQ(TreeSizes(tree).total(), 64 + 16 + 72 + 20);
  EXPECT_EQ(mapped(tree, {"0=240", "1=200"}, MapPolicy::Sequential).json,
            R"({"device_map":{"":0},"max_memory":{"0":240,"1":200}})");
}

TEST(DeviceMap, EqualsTheReferenceOnResnet50) {
  const ModuleTree tree = *treeOfModel("resnet50", 1000);
  EXPECT_EQ(TreeSizes(tree).total(), 102'441'032);
  const std::vector<std::string> two = {"0=200MiB", "1=200MiB"};
  EXPECT_NE(mapped(tree, two, MapPolicy::Balanced).json.find(R"("max_memory":{"0":52417256,"1":209715200}})"),
            std::string::npos);
  EXPECT_NE(mapped(tree, two, MapPolicy::Balanced, {"Bottleneck"}).json.find(R"("layer3.3":0,"layer3.4":1)"),
            std::string::npos);
  EXPECT_NE(mapped(tree, two, MapPolicy::BalancedLowZero).json.find(R"({"device_map":{"":1})"), std::string::npos);
}

TEST(DeviceMap, BuffersOfASplitModuleAreNamed) {
  const ModuleTree tree = treeFrom(
      R"({"class": "A", "children": {"m": {"class": "B", "buffers": {"scale": {"shape": [2], "dtype": "float32"}},
      "children": {"x": {"class": "Linear", "parameters": {"w": {"shape": [100], "dtype": "float32"}}},
                   "y": {"class": "Linear", "parameters": {"w": {"shape": [100], "dtype": "float32"}}}}}}})");
  EXPECT_EQ(mapped(tree, {"0=600", "1=600"}, MapPolicy::Sequential).lost, (std::vector<std::string>{"m.scale"}));
  EXPECT_TRUE(mapped(tree, {"0=2000"}, MapPolicy::Sequential).lost.empty());
}

TEST(DeviceMap, SaysWhyThereIsNone) {
  const ModuleTree tree = treeFrom(modelForTest());
  EXPECT_NE(mapped(tree, {"1=100", "2=100"}, MapPolicy::BalancedLowZero).json.find("GPU 0"), std::string::npos);
  EXPECT_FALSE(parseMapPolicy("balancd").ok());
  EXPECT_NE(parseMapPolicy("balancd").error().message.find("balanced"), std::string::npos);
}

TEST(DeviceMap, EverythingHasAPlaceEvenWithNoDeviceAtAll) {
  EXPECT_EQ(mapped(treeFrom(modelForTest()), {}, MapPolicy::Auto).json,
            R"({"device_map":{"":"disk"},"max_memory":{}})");
  EXPECT_EQ(mapped(treeFrom(R"({"class": "A"})"), {"0=1"}, MapPolicy::Auto).json,
            R"({"device_map":{},"max_memory":{"0":1}})");
}

}  // namespace
}  // namespace lanelab
