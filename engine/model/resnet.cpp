// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/resnet.h"

#include <algorithm>

#include "engine/model/block_builder.h"

namespace lanelab {
namespace {

constexpr std::array<ResnetShape, 5> kResnets = {{
    {"resnet18", false, {2, 2, 2, 2}},
    {"resnet34", false, {3, 4, 6, 3}},
    {"resnet50", true, {3, 4, 6, 3}},
    {"resnet101", true, {3, 4, 23, 3}},
    {"resnet152", true, {3, 8, 36, 3}},
}};

struct ResidualPlan {
  std::string prefix;  ///< "layer2.0."
  std::int64_t width = 64;
  std::int64_t stride = 1;
  std::int64_t output_channels = 64;
};

void addShortcut(BlockBuilder& block, const ResidualPlan& plan, std::int64_t input_channels) {
  if (plan.stride == 1 && input_channels == plan.output_channels) return;
  block.returnToInput();
  block.conv(plan.prefix + "downsample.0", plan.output_channels, 1, plan.stride);
  block.batchNorm(plan.prefix + "downsample.1");
}

void addBasicBlock(BlockBuilder& block, const ResidualPlan& plan) {
  const std::int64_t input_channels = block.shape()[0];
  block.conv(plan.prefix + "conv1", plan.width, 3, plan.stride);
  block.batchNorm(plan.prefix + "bn1");
  block.relu();
  block.listRelu(plan.prefix + "relu");
  block.conv(plan.prefix + "conv2", plan.width, 3, 1);
  block.batchNorm(plan.prefix + "bn2");
  addShortcut(block, plan, input_channels);
  block.sum();
  block.relu();
}

void addBottleneck(BlockBuilder& block, const ResidualPlan& plan) {
  const std::int64_t input_channels = block.shape()[0];
  block.conv(plan.prefix + "conv1", plan.width, 1, 1);
  block.batchNorm(plan.prefix + "bn1");
  block.relu();
  block.conv(plan.prefix + "conv2", plan.width, 3, plan.stride);
  block.batchNorm(plan.prefix + "bn2");
  block.relu();
  block.conv(plan.prefix + "conv3", plan.output_channels, 1, 1);
  block.batchNorm(plan.prefix + "bn3");
  block.listRelu(plan.prefix + "relu");
  addShortcut(block, plan, input_channels);
  block.sum();
  block.relu();
}

}  // namespace

const ResnetShape* findResnet(std::string_view arch) {
  const auto found = std::ranges::find(kResnets, arch, &ResnetShape::arch);
  return found == kResnets.end() ? nullptr : &*found;
}

ModelSpec describeResnet(const ResnetShape& resnet, int classes, const Shape& input) {
  ModelSpec model{std::string(resnet.arch), classes, input, {}};

  BlockBuilder stem("stem", "Stem", "stem", input, false);
  stem.conv("conv1", 64, 7, 2);
  stem.batchNorm("bn1");
  stem.relu();
  stem.listRelu("relu");
  stem.maxPool("maxpool");
  Shape shape = stem.shape();
  bool kept = stem.outputKept();
  model.blocks.push_back(stem.finish());

  for (int layer = 1; layer <= 4; ++layer) {
    const std::string group = "layer" + std::to_string(layer);
    const std::int64_t width = std::int64_t{64} << (layer - 1);
    for (int b = 0; b < resnet.depths[static_cast<std::size_t>(layer - 1)]; ++b) {
      const std::string name = group + "." + std::to_string(b);
      BlockBuilder block(name, resnet.bottleneck ? "Bottleneck" : "BasicBlock", group, shape, kept);
      const ResidualPlan plan{name + ".", width, b == 0 && layer > 1 ? 2 : 1, resnet.bottleneck ? 4 * width : width};
      resnet.bottleneck ? addBottleneck(block, plan) : addBasicBlock(block, plan);
      shape = block.shape();
      kept = block.outputKept();
      model.blocks.push_back(block.finish());
    }
  }

  BlockBuilder head("head", "Head", "head", shape, kept);
  head.averagePool("avgpool");
  head.linear("fc", classes);
  model.blocks.push_back(head.finish());
  return model;
}

}  // namespace lanelab
