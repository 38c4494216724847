// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/network_block.h"

#include <ATen/ops/relu.h>

#include <array>
#include <map>

#include "engine/torch/nn/layers.h"
#include "engine/torch/nn/residual_blocks.h"

namespace lanelab {

namespace {

struct ResNetPlan {
  bool bottleneck;
  std::array<int, 4> blocks;
};

const std::map<std::string, ResNetPlan>& resNetPlans() {
  static const std::map<std::string, ResNetPlan> plans = {{"resnet18", {false, {2, 2, 2, 2}}},
                                                          {"resnet34", {false, {3, 4, 6, 3}}},
                                                          {"resnet50", {true, {3, 4, 6, 3}}},
                                                          {"resnet101", {true, {3, 4, 23, 3}}},
                                                          {"resnet152", {true, {3, 8, 36, 3}}}};
  return plans;
}

NetworkBlocks makeResNet(const ResNetPlan& plan, const ModelSpec& spec) {
  NetworkBlocks blocks;
  blocks.push_back(std::make_unique<StemBlock>("stem", spec.input.at(0)));
  std::int64_t in = 64;
  for (int layer = 0; layer < 4; ++layer) {
    const std::int64_t width = std::int64_t{64} << layer;
    const std::int64_t out = plan.bottleneck ? 4 * width : width;
    for (int i = 0; i < plan.blocks[static_cast<std::size_t>(layer)]; ++i) {
      const std::int64_t stride = layer > 0 && i == 0 ? 2 : 1;
      const std::string name = "layer" + std::to_string(layer + 1) + "." + std::to_string(i);
      blocks.push_back(std::make_unique<ResidualBlock>(name, ResidualShape{in, width, out, stride, plan.bottleneck}));
      in = out;
    }
  }
  blocks.push_back(std::make_unique<HeadBlock>("head", in, spec.classes));
  return blocks;
}

class LinearBlock : public NetworkBlock {
 public:
  LinearBlock(std::string name, std::int64_t in, std::int64_t out)
      : NetworkBlock(std::move(name)), m_layer{in, out, {}, {}} {
    for (auto& slot : m_layer.slots(this->name())) addSlot(std::move(slot));
  }
  at::Tensor forward(const at::Tensor& input, bool) override { return m_layer.forward(input); }

 private:
  LinearLayer m_layer;
};

class ReluBlock : public NetworkBlock {
 public:
  explicit ReluBlock(std::string name) : NetworkBlock(std::move(name)) {}
  at::Tensor forward(const at::Tensor& input, bool) override { return at::relu(input); }
};

/// The toy of the PyTorch tutorial: built as it is described, a Linear or a ReLU a block.
NetworkBlocks makeToy(const ModelSpec& spec) {
  NetworkBlocks blocks;
  std::int64_t features = spec.input.at(0);
  for (const BlockSpec& block : spec.blocks) {
    if (block.type == "ReLU") {
      blocks.push_back(std::make_unique<ReluBlock>(block.name));
      continue;
    }
    blocks.push_back(std::make_unique<LinearBlock>(block.name, features, block.output.at(0)));
    features = block.output.at(0);
  }
  return blocks;
}

/// nn.Linear itself, over all numbers of a sample.
class WholeLinearBlock : public NetworkBlock {
 public:
  WholeLinearBlock(std::string name, std::int64_t in, std::int64_t out)
      : NetworkBlock(std::move(name)), m_layer{in, out, {}, {}} {
    for (TensorSlot& slot : m_layer.slots(std::string())) {
      slot.name.erase(0, 1);
      addSlot(std::move(slot));
    }
  }
  at::Tensor forward(const at::Tensor& input, bool) override { return m_layer.forward(input.flatten(1)); }

 private:
  LinearLayer m_layer;
};

NetworkBlocks makeLinear(const ModelSpec& spec) {
  std::int64_t features = 1;
  for (const std::int64_t side : spec.input) features *= side;
  NetworkBlocks blocks;
  blocks.push_back(std::make_unique<WholeLinearBlock>(spec.blocks.front().name, features, spec.classes));
  return blocks;
}

NetworkBlocks makeNetwork(const ModelSpec& spec) {
  if (spec.arch == "toy") return makeToy(spec);
  if (spec.arch == "linear") return makeLinear(spec);
  return makeResNet(resNetPlans().at(spec.arch), spec);
}

}  // namespace

bool isParameter(SlotRole role) {
  return role != SlotRole::NormMean && role != SlotRole::NormVar && role != SlotRole::NormCount;
}

at::ScalarType slotType(SlotRole role) { return role == SlotRole::NormCount ? at::kLong : at::kFloat; }

at::ScalarType typeOn(SlotRole role, at::ScalarType compute) {
  const bool product = role == SlotRole::ConvWeight || role == SlotRole::LinearWeight || role == SlotRole::LinearBias;
  return product ? compute : slotType(role);
}

Result<NetworkBlocks> makeBlocks(const ModelSpec& spec) {
  if (!resNetPlans().contains(spec.arch) && spec.arch != "toy" && spec.arch != "linear") {
    return Error::badInput("model.arch: the engine cannot build \"" + spec.arch + "\".");
  }
  NetworkBlocks blocks = makeNetwork(spec);
  bool same = blocks.size() == spec.blocks.size();
  for (std::size_t i = 0; same && i < blocks.size(); ++i) {
    same = blocks[i]->name() == spec.blocks[i].name;
  }
  if (!same) {
    return Error::failed("The description of " + spec.arch + " and the network of the engine differ in their blocks.");
  }
  return blocks;
}

}  // namespace lanelab
