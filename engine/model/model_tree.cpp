// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/model_tree.h"

#include <utility>

#include "base/text.h"
#include "engine/model/model_spec.h"
#include "engine/model/resnet.h"
#include "engine/model/tutorial_models.h"

namespace lanelab {
namespace {

ModuleTree module(std::string name, std::string class_name) {
  return {std::move(name), std::move(class_name), {}, {}, {}};
}

TreeTensor tensor(std::string name, std::vector<std::int64_t> shape, ElementType type = ElementType::Float32) {
  return {std::move(name), std::move(shape), type, {}};
}

ModuleTree conv(std::string name, std::int64_t from, std::int64_t to, std::int64_t kernel) {
  ModuleTree conv = module(std::move(name), "Conv2d");
  conv.parameters = {tensor("weight", {to, from, kernel, kernel})};
  return conv;
}

ModuleTree batchNorm(std::string name, std::int64_t channels) {
  ModuleTree norm = module(std::move(name), "BatchNorm2d");
  norm.parameters = {tensor("weight", {channels}), tensor("bias", {channels})};
  norm.buffers = {tensor("running_mean", {channels}), tensor("running_var", {channels}),
                  tensor("num_batches_tracked", {}, ElementType::Int64)};
  return norm;
}

ModuleTree linear(std::string name, std::int64_t from, std::int64_t to) {
  ModuleTree linear = module(std::move(name), "Linear");
  linear.parameters = {tensor("weight", {to, from}), tensor("bias", {to})};
  return linear;
}

struct ResidualSize {
  std::int64_t from, width, to;
  bool shortcut;
};

ModuleTree residualBlock(std::string name, bool bottleneck, const ResidualSize& size) {
  ModuleTree block = module(std::move(name), bottleneck ? "Bottleneck" : "BasicBlock");
  auto& children = block.children;
  children.push_back(conv("conv1", size.from, size.width, bottleneck ? 1 : 3));
  children.push_back(batchNorm("bn1", size.width));
  if (!bottleneck)
    children.push_back(
        module("relu", "ReLU"));  // torchvision registers it before the second convolution there, at the end otherwise
  children.push_back(conv("conv2", size.width, size.width, 3));
  children.push_back(batchNorm("bn2", size.width));
  if (bottleneck) {
    children.push_back(conv("conv3", size.width, size.to, 1));
    children.push_back(batchNorm("bn3", size.to));
    children.push_back(module("relu", "ReLU"));
  }
  if (size.shortcut) {
    ModuleTree shortcut = module("downsample", "Sequential");
    shortcut.children = {conv("0", size.from, size.to, 1), batchNorm("1", size.to)};
    children.push_back(std::move(shortcut));
  }
  return block;
}

ModuleTree resnetTree(const ResnetShape& resnet, int classes) {
  ModuleTree tree = module("", "ResNet");
  tree.children = {conv("conv1", 3, 64, 7), batchNorm("bn1", 64), module("relu", "ReLU"),
                   module("maxpool", "MaxPool2d")};
  std::int64_t channels = 64;
  for (std::size_t layer = 0; layer < resnet.depths.size(); ++layer) {
    ModuleTree group = module("layer" + std::to_string(layer + 1), "Sequential");
    const std::int64_t width = std::int64_t{64} << layer;
    const std::int64_t to = resnet.bottleneck ? 4 * width : width;
    for (int block = 0; block < resnet.depths[layer]; ++block) {
      const bool strided = block == 0 && layer > 0;
      group.children.push_back(
          residualBlock(std::to_string(block), resnet.bottleneck, {channels, width, to, strided || channels != to}));
      channels = to;
    }
    tree.children.push_back(std::move(group));
  }
  tree.children.push_back(module("avgpool", "AdaptiveAvgPool2d"));
  tree.children.push_back(linear("fc", channels, classes));
  return tree;
}

ModuleTree toyTree(int classes) {
  ModuleTree tree = module("", "ToyModel");
  tree.children = {linear("net1", kToyFeatures, kToyFeatures), module("relu", "ReLU"),
                   linear("net2", kToyFeatures, classes)};
  return tree;
}

}  // namespace

Result<ModuleTree> treeOfModel(const std::string& arch, int classes) {
  if (classes < 1) return Error::badInput("A network has at least one class, not {}.", classes);
  if (arch == "toy") return toyTree(classes);
  if (arch == "linear") return linear("", kLinearFeatures, classes);
  if (const ResnetShape* const resnet = findResnet(arch)) return resnetTree(*resnet, classes);
  return Error::badInput("There is no network \"{}\": {}", arch, nearestHint(arch, knownArchitectures()));
}

}  // namespace lanelab
