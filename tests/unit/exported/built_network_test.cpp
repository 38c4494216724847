// SPDX-License-Identifier: GPL-3.0-only
// Graphs of built-in networks against their descriptions.
#include "engine/networks/built_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanelab::test {
namespace {

struct BuiltCase {
  const char* arch;
  int classes;
  Shape input;
};

class BuiltNetworks : public testing::TestWithParam<BuiltCase> {};

TEST_P(BuiltNetworks, AreDescribedAsTheyWere) {
  const auto& [arch, classes, input] = GetParam();
  const ModelSpec wanted = describeModel(arch, classes, input).value();
  const auto network = builtNetwork(arch, classes, input);
  ASSERT_TRUE(network.ok()) << network.error().message;
  const ModelSpec& built = (*network)->described.model;
  EXPECT_EQ(built.arch, wanted.arch);
  EXPECT_EQ(built.classes, wanted.classes);
  EXPECT_EQ(built.input, wanted.input);
  EXPECT_EQ(built.most_samples, wanted.most_samples);
  ASSERT_EQ(built.blocks.size(), wanted.blocks.size());
  for (std::size_t b = 0; b < built.blocks.size(); ++b) {
    const BlockSpec &one = built.blocks[b], &other = wanted.blocks[b];
    SCOPED_TRACE(other.name);
    EXPECT_EQ(one.name, other.name);
    EXPECT_EQ(one.type, other.type);
    EXPECT_EQ(one.output, other.output);
    EXPECT_EQ(one.parameters, other.parameters);
    EXPECT_EQ(one.parameter_bytes, other.parameter_bytes);
    EXPECT_EQ(one.buffer_bytes, other.buffer_bytes);
    EXPECT_EQ(one.macs, other.macs);
    EXPECT_EQ(one.activation_bytes, other.activation_bytes);
    EXPECT_EQ(one.received_bytes, other.received_bytes);
    EXPECT_EQ(one.output_bytes, other.output_bytes);
    EXPECT_TRUE(std::ranges::is_permutation(one.layers, other.layers));
  }
  EXPECT_THAT(built.unknown_operators, testing::IsEmpty());
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

TEST(BuiltNetwork, RefusesWhatTheDescriptionRefuses) {
  EXPECT_EQ(builtNetwork("resnet19", 5, {3, 64, 64}).error().message,
            describeModel("resnet19", 5, {3, 64, 64}).error().message);
  EXPECT_FALSE(builtNetwork("resnet18", 0, {3, 64, 64}).ok());
}

}  // namespace
}  // namespace lanelab::test
