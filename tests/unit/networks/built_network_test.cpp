// SPDX-License-Identifier: GPL-3.0-only
// Graphs of built-in networks against their descriptions.
#include "engine/networks/built_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/described_model.h"

namespace lanelab::test {
namespace {

struct BuiltCase {
  const char* arch;
  int classes;
  Shape input;
};

class BuiltNetworks : public testing::TestWithParam<BuiltCase> {};

TEST_P(BuiltNetworks, CountEachParameterInOneLayerAndBlock) {
  const auto& [arch, classes, input] = GetParam();
  const auto network = builtNetwork(arch, classes, input);
  ASSERT_TRUE(network.ok()) << network.error().message;
  const ModelSpec& model = (*network)->described.model;
  EXPECT_EQ(model.arch, arch);
  EXPECT_EQ(model.classes, classes);
  EXPECT_EQ(model.input, input);
  EXPECT_EQ(model.most_samples, 0);
  EXPECT_FALSE(model.imported);
  EXPECT_THAT(model.unknown_operators, testing::IsEmpty());
  for (const BlockSpec& block : model.blocks) {
    SCOPED_TRACE(block.name);
    std::int64_t parameters = 0, macs = 0, norms = 0;
    for (const LayerSpec& layer : block.layers) {
      parameters += layer.parameters;
      macs += layer.macs;
      norms += layer.type == "BatchNorm2d" ? layer.parameters : 0;
    }
    EXPECT_EQ(block.parameters, parameters);
    EXPECT_EQ(block.parameter_bytes, 4 * parameters);
    EXPECT_EQ(block.macs, macs);
    EXPECT_EQ(block.norm_parameters, norms);
    EXPECT_EQ(block.buffer_bytes,
              norms * 4 + (norms > 0 ? 8 * std::ranges::count(block.layers, "BatchNorm2d", &LayerSpec::type) : 0));
    EXPECT_EQ(block.frozen_parameters, 0);
  }
}

TEST_P(BuiltNetworks, HaveTheRulesOfImportedOnes) {
  const auto& [arch, classes, input] = GetParam();
  const GraphRules rules = builtNetwork(arch, classes, input).value()->described.rules;
  const ModelSpec model = describeModel(arch, classes, input).value();
  std::size_t convolutions = 0, norms = 0, linears = 0;
  for (const BlockSpec& block : model.blocks)
    for (const LayerSpec& layer : block.layers) {
      convolutions += layer.type == "Conv2d";
      norms += layer.type == "BatchNorm2d";
      linears += layer.type == "Linear";
    }
  EXPECT_EQ(rules.norms.size(), norms);
  EXPECT_EQ(rules.weighted.size(), convolutions + linears);
  // All but the stem's kernel of 7.
  EXPECT_EQ(rules.products.size(), convolutions == 0 ? 0 : convolutions - 1);
}

INSTANTIATE_TEST_SUITE_P(Architectures, BuiltNetworks,
                         testing::Values(BuiltCase{"resnet18", 1000, {3, 128, 128}},
                                         BuiltCase{"resnet34", 7, {3, 33, 47}}, BuiltCase{"resnet50", 10, {3, 64, 32}},
                                         BuiltCase{"resnet101", 3, {3, 32, 32}},
                                         BuiltCase{"resnet152", 1000, {3, 224, 224}}, BuiltCase{"toy", 5, {10}},
                                         BuiltCase{"linear", 2, {5}}, BuiltCase{"linear", 4, {3, 8, 6}}),
                         [](const auto& tested) {
                           return std::string(tested.param.arch) + "_" + std::to_string(tested.index);
                         });

/// "NAME TYPE GROUP" of each block.
std::vector<std::string> blockLines(const char* arch, const Shape& input) {
  std::vector<std::string> lines;
  const ModelSpec model = describeModel(arch, 10, input).value();
  for (const BlockSpec& block : model.blocks) lines.push_back(block.name + " " + block.type + " " + block.group);
  return lines;
}

TEST(BuiltNetwork, HasBlocksThatTheBoardColoursByGroup) {
  EXPECT_THAT(blockLines("toy", {10}),
              testing::ElementsAre("net1 Linear stem", "relu ReLU layer1", "net2 Linear head"));
  EXPECT_THAT(blockLines("linear", {2, 3}), testing::ElementsAre("linear Linear head"));
  EXPECT_THAT(blockLines("resnet18", {3, 32, 32}),
              testing::ElementsAre("stem Stem stem", "layer1.0 BasicBlock layer1", "layer1.1 BasicBlock layer1",
                                   "layer2.0 BasicBlock layer2", "layer2.1 BasicBlock layer2",
                                   "layer3.0 BasicBlock layer3", "layer3.1 BasicBlock layer3",
                                   "layer4.0 BasicBlock layer4", "layer4.1 BasicBlock layer4", "head Head head"));
  EXPECT_EQ(blockLines("resnet50", {3, 32, 32})[3], "layer1.2 Bottleneck layer1");
}

TEST(BuiltNetwork, KnowsWhatMakingActivationsAgainTakes) {
  const ModelSpec model = describeModel("resnet18", 10, {3, 64, 64}).value();
  EXPECT_TRUE(model.remakesActivations());
  EXPECT_EQ(model.blocks.back().remade_share, 0) << "the head has no norm";
  EXPECT_FALSE(describeModel("toy", 5, {10}).value().remakesActivations());
}

}  // namespace
}  // namespace lanelab::test
