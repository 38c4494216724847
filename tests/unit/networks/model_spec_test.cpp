// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/model_spec.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/described_model.h"

namespace lanelab {
namespace {

ModelSpec describe(const std::string& arch, const Shape& input, int classes = 1000) {
  Result<ModelSpec> model = test::describeModel(arch, classes, input);
  EXPECT_TRUE(model.ok()) << (model.ok() ? "" : model.error().message);
  return std::move(model).value();
}

std::vector<std::string> layerNames(const BlockSpec& block) {
  std::vector<std::string> names;
  for (const LayerSpec& layer : block.layers) names.push_back(layer.name);
  return names;
}

struct Known {
  const char* arch;
  std::size_t blocks;
  std::int64_t parameters;
  double gmacs;  ///< at 224x224, as torchvision's weight metadata says (num_params, _ops)
};

class Family : public testing::TestWithParam<Known> {};

TEST_P(Family, HasTorchvisionsParametersAndOperations) {
  const ModelSpec model = describe(GetParam().arch, {3, 224, 224});
  EXPECT_EQ(model.blocks.size(), GetParam().blocks);
  EXPECT_EQ(model.parameters(), GetParam().parameters);
  EXPECT_NEAR(static_cast<double>(model.macs()) / 1e9, GetParam().gmacs, 0.0006);
}

INSTANTIATE_TEST_SUITE_P(Resnets, Family,
                         testing::Values(Known{"resnet18", 10, 11689512, 1.814}, Known{"resnet34", 18, 21797672, 3.664},
                                         Known{"resnet50", 18, 25557032, 4.089},
                                         Known{"resnet101", 35, 44549160, 7.801},
                                         Known{"resnet152", 52, 60192808, 11.514}),
                         [](const auto& known) { return known.param.arch; });

TEST(Resnet50, HasTheNumbersOfTheTutorial) {
  const ModelSpec model = describe("resnet50", {3, 128, 128});
  EXPECT_NEAR(static_cast<double>(model.macs()) / 1e9, 1.337, 0.0005);
  std::int64_t tensors = 0, buffers = 0;
  for (const BlockSpec& block : model.blocks) {
    for (const LayerSpec& layer : block.layers) {
      tensors += layer.type == "Conv2d" ? 1 : layer.type == "BatchNorm2d" || layer.type == "Linear" ? 2 : 0;
      buffers += layer.type == "BatchNorm2d" ? 3 : 0;
    }
  }
  EXPECT_EQ(tensors, 161);
  EXPECT_EQ(buffers, 159);
}

TEST(Resnet50, ListsLayersInTheOrderOfRegistration) {
  const ModelSpec model = describe("resnet50", {3, 64, 64});
  EXPECT_EQ(layerNames(model.blocks[0]), (std::vector<std::string>{"conv1", "bn1", "relu", "maxpool"}));
  EXPECT_EQ(
      layerNames(model.blocks[1]),
      (std::vector<std::string>{"layer1.0.conv1", "layer1.0.bn1", "layer1.0.conv2", "layer1.0.bn2", "layer1.0.conv3",
                                "layer1.0.bn3", "layer1.0.relu", "layer1.0.downsample.0", "layer1.0.downsample.1"}));
  EXPECT_EQ(layerNames(model.blocks.back()), (std::vector<std::string>{"avgpool", "fc"}));
}

TEST(Resnet18, ShortensOnlyWhereTheShapeChanges) {
  const ModelSpec model = describe("resnet18", {3, 64, 64});
  EXPECT_EQ(layerNames(model.blocks[1]), (std::vector<std::string>{"layer1.0.conv1", "layer1.0.bn1", "layer1.0.relu",
                                                                   "layer1.0.conv2", "layer1.0.bn2"}));
  EXPECT_EQ(layerNames(model.blocks[3]).back(), "layer2.0.downsample.1");
}

TEST(Resnet50, FollowsTheShapes) {
  const ModelSpec model = describe("resnet50", {3, 128, 128});
  const auto output = [&](const char* block) { return model.blocks[model.find(block)->index()].output; };
  EXPECT_EQ(output("stem"), (Shape{64, 32, 32}));
  EXPECT_EQ(output("layer1.2"), (Shape{256, 32, 32}));
  EXPECT_EQ(output("layer2.3"), (Shape{512, 16, 16}));
  EXPECT_EQ(output("layer4.0"), (Shape{2048, 4, 4}));
  EXPECT_EQ(output("head"), (Shape{1000}));
  EXPECT_EQ(model.blocks[model.find("layer2.3")->index()].output_bytes, 512 * 16 * 16 * 4);
  EXPECT_FALSE(model.find("layer9.0"));
}

TEST(Resnet50, OddAndTinyImagesRoundAsConvolutionsDo) {
  EXPECT_EQ(describe("resnet50", {3, 33, 65}).blocks[0].output, (Shape{64, 9, 17}));
  EXPECT_EQ(describe("resnet50", {3, 32, 32}).blocks[16].output, (Shape{2048, 1, 1}));
  EXPECT_EQ(describe("resnet50", {3, 1, 1}).blocks[16].output, (Shape{2048, 1, 1}));
}

TEST(Activations, CountEachSavedTensorOnce) {
  const ModelSpec model = describe("resnet50", {3, 64, 64});
  const std::int64_t stem = 3 * 64 * 64 * 4 + 2 * (64 * 32 * 32 * 4) +
                            64 * 16 * 16 * 8;  // image, conv1's output, relu's output; pooling's indices
  EXPECT_EQ(model.blocks[0].activation_bytes, stem);
  EXPECT_EQ(model.blocks[0].received_bytes, 0);

  // layer1.0: its input, two inputs of a batch norm and two outputs of a ReLU of 64 channels; conv3's, the shortcut's
  // and the block's outputs of 256.
  const std::int64_t pixels = 16 * 16 * 4;
  EXPECT_EQ(model.blocks[1].activation_bytes, (64 + 4 * 64 + 3 * 256) * pixels);
  EXPECT_EQ(model.blocks[1].received_bytes, 0);
  EXPECT_EQ(model.blocks[2].activation_bytes, (4 * 64 + 2 * 256) * pixels);
  EXPECT_EQ(model.blocks[2].received_bytes, 256 * pixels);

  EXPECT_EQ(model.blocks.back().activation_bytes, 2048 * 4);
  EXPECT_EQ(model.blocks.back().received_bytes, 0);
}

TEST(Toy, IsTheTutorialsThreeLayers) {
  const ModelSpec model = describe("toy", {10}, 5);
  ASSERT_EQ(model.blocks.size(), 3u);
  EXPECT_EQ(model.parameters(), 10 * 10 + 10 + 10 * 5 + 5);
  EXPECT_EQ(model.macs(), 10 * 10 + 10 * 5);
  EXPECT_EQ(model.blocks[2].name, "net2");
  EXPECT_EQ(model.blocks[2].output, Shape{5});
  EXPECT_EQ(model.blocks[1].activation_bytes, 40);
  EXPECT_EQ(model.blocks[2].activation_bytes, 0);
  EXPECT_EQ(model.blocks[2].received_bytes, 40);
}

struct Bad {
  const char* arch;
  int classes;
  Shape input;
  const char* says;
};

TEST(DescribeModel, NamesWhatIsWrongAndTheFix) {
  const std::vector<Bad> table = {
      {"resnet5", 1000, {3, 64, 64}, "did you mean \"resnet50\""},
      {"vgg16", 1000, {3, 64, 64}, "choose resnet18"},
      {"resnet50", 0, {3, 64, 64}, "at least 1 class"},
      {"resnet50", 1000, {1, 64, 64}, "3xHxW"},
      {"resnet50", 1000, {}, "not nothing"},
      {"resnet50", 1000, {3, 0, 64}, "3x1x1"},
      {"resnet50", 1000, {3, 64, 1000000}, "too large"},
      {"toy", 5, {3, 64, 64}, "write 10"},
  };
  for (const Bad& bad : table) {
    const Result<ModelSpec> model = test::describeModel(bad.arch, bad.classes, bad.input);
    ASSERT_FALSE(model.ok()) << bad.says;
    EXPECT_EQ(model.error().kind, Error::Kind::BadInput);
    EXPECT_NE(model.error().message.find(bad.says), std::string::npos) << model.error().message;
  }
}

}  // namespace
}  // namespace lanelab
