// SPDX-License-Identifier: GPL-3.0-only
#include "engine/networks/built_network.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/exported/exported_tree.h"
#include "engine/model/architectures.h"
#include "engine/networks/program_builder.h"

namespace lanelab {
namespace {

constexpr std::int64_t kStemChannels = 64;
constexpr const char* kShortcut = ".downsample.";  // drawn before the rest of its block, which is registered first

struct ResnetShape {
  std::string_view arch;
  bool bottleneck = false;
  std::array<int, 4> depths = {};  ///< blocks of layer1 ... layer4
};

constexpr std::array<ResnetShape, 5> kResnets = {{
    {"resnet18", false, {2, 2, 2, 2}},
    {"resnet34", false, {3, 4, 6, 3}},
    {"resnet50", true, {3, 4, 6, 3}},
    {"resnet101", true, {3, 4, 23, 3}},
    {"resnet152", true, {3, 8, 36, 3}},
}};

/// conv, bn.
ValueId unit(ProgramBuilder& net, ValueId x, const std::string& convolution, const std::string& norm,
             const ConvolutionPlan& plan) {
  return net.batchNorm(net.convolution(x, convolution, plan), norm);
}

/// BasicBlock and Bottleneck: two or three convolutions beside the identity or a 1x1 projection.
ValueId residualBlock(ProgramBuilder& net, ValueId input, const std::string& name, bool bottleneck, std::int64_t width,
                      std::int64_t stride) {
  net.beginBlock(name, bottleneck ? "Bottleneck" : "BasicBlock");
  const std::int64_t out = bottleneck ? 4 * width : width;
  const std::string prefix = name + ".";
  std::vector<ConvolutionPlan> plans = {{width, 3, stride}, {width, 3, 1}};
  if (bottleneck) plans = {{width, 1, 1}, {width, 3, stride}, {out, 1, 1}};
  ValueId x = input;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    x = unit(net, x, prefix + "conv" + number, prefix + "bn" + number, plans[i]);
    if (i == (bottleneck ? 2 : 0)) net.registers(prefix + "relu");  // behind the last norm of a Bottleneck
    if (i + 1 < plans.size()) x = net.relu(x, prefix + "relu", /*in_place=*/true);
  }
  const bool same = stride == 1 && net.shapeOf(input)[0] == out;
  const ValueId beside =
      same ? input : unit(net, input, prefix + "downsample.0", prefix + "downsample.1", {out, 1, stride});
  return net.relu(net.addTo(x, beside), prefix + "relu", /*in_place=*/true);
}

ExportedProgram residualProgram(const ResnetShape& resnet, int classes, const Shape& input) {
  ProgramBuilder net("ResNet", input);
  net.beginBlock("stem", "Stem");
  ValueId x = unit(net, net.user(), "conv1", "bn1", {kStemChannels, 7, 2});
  net.registers("relu");
  x = net.maxPool(net.relu(x, "relu", /*in_place=*/true), "maxpool");
  for (int layer = 1; layer <= 4; ++layer) {
    const std::int64_t width = kStemChannels << (layer - 1);
    for (int b = 0; b < resnet.depths[static_cast<std::size_t>(layer - 1)]; ++b)
      x = residualBlock(net, x, "layer" + std::to_string(layer) + "." + std::to_string(b), resnet.bottleneck, width,
                        b == 0 && layer > 1 ? 2 : 1);
  }
  net.beginBlock("head", "Head");
  x = net.flatten(net.averagePool(x, "avgpool"));
  return net.finish(net.linear(x, "fc", "fc.", classes), kShortcut);
}

ExportedProgram toyProgram(int classes, const Shape& input) {
  ProgramBuilder net("ToyModel", input);
  net.beginBlock("net1", "Linear");
  ValueId x = net.linear(net.user(), "net1", "net1.", input.front());
  net.beginBlock("relu", "ReLU");
  net.registers("relu");
  x = net.relu(x, "relu", /*in_place=*/false);
  net.beginBlock("net2", "Linear");
  return net.finish(net.linear(x, "net2", "net2.", classes), kShortcut);
}

ExportedProgram linearProgram(int classes, const Shape& input) {
  ProgramBuilder net("Linear", input);
  net.beginBlock("linear", "Linear");
  const ValueId x = input.size() > 1 ? net.flatten(net.user()) : net.user();
  return net.finish(net.linear(x, "linear", "", classes), kShortcut);
}

ExportedProgram programOf(const std::string& arch, int classes, const Shape& input) {
  const auto resnet = std::ranges::find(kResnets, arch, &ResnetShape::arch);
  if (resnet != kResnets.end()) return residualProgram(*resnet, classes, input);
  return arch == "toy" ? toyProgram(classes, input) : linearProgram(classes, input);
}

/// Colour groups of the small networks: those of a ResNet's first, middle and last blocks.
std::string groupOf(const std::string& arch, const BlockSpec& block) {
  if (arch == "linear" || block.name == "net2") return "head";
  if (arch != "toy") return block.group;
  return block.name == "net1" ? "stem" : "layer1";
}

/// In the order of registration, in which torchvision's users know them.
void sortLayers(BlockSpec& block, const std::vector<std::string>& modules) {
  std::ranges::sort(block.layers, {},
                    [&](const LayerSpec& layer) { return std::ranges::find(modules, layer.name) - modules.begin(); });
}

}  // namespace

Result<std::shared_ptr<const ExportedNetwork>> builtNetwork(const std::string& arch, int classes, const Shape& input) {
  if (const Status known = checkArchitecture(arch, classes, input); !known.ok()) return known.error();
  Result<std::shared_ptr<const ExportedNetwork>> network = networkOf(programOf(arch, classes, input), {.depth = 1});
  if (!network.ok()) return network.error();
  auto named = std::make_shared<ExportedNetwork>(**network);
  ModelSpec& model = named->described.model;
  model.arch = arch;
  model.imported = false;
  for (BlockSpec& block : model.blocks) {
    block.group = groupOf(arch, block);
    sortLayers(block, named->program.modules);
  }
  return std::shared_ptr<const ExportedNetwork>(std::move(named));
}

Result<ModuleTree> treeOfModel(const std::string& arch, int classes) {
  const auto network = builtNetwork(arch, classes, usualInput(arch));
  if (!network.ok()) return network.error();
  return treeOfExported((*network)->program, arch, "Sequential");
}

}  // namespace lanelab
