// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/network_block.h"

#include <ATen/ops/relu.h>

#include <algorithm>

#include "engine/torch/nn/layers.h"
#include "engine/torch/nn/residual_blocks.h"

namespace lanelab {

namespace {

class LinearBlock : public NetworkBlock {
 public:
  /// `prefix` goes before the names of its tensors.
  LinearBlock(std::string name, const std::string& prefix, std::int64_t in, std::int64_t out)
      : NetworkBlock(std::move(name)), m_layer{in, out, {}, {}} {
    addSlots(m_layer.slots(prefix));
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
    blocks.push_back(std::make_unique<LinearBlock>(block.name, block.name + ".", features, block.output.at(0)));
    features = block.output.at(0);
  }
  return blocks;
}

/// nn.Linear itself, over all numbers of a sample.
class WholeLinearBlock final : public LinearBlock {
 public:
  using LinearBlock::LinearBlock;

  at::Tensor forward(const at::Tensor& input, bool training) override {
    return LinearBlock::forward(input.flatten(1), training);
  }
};

NetworkBlocks makeLinear(const ModelSpec& spec) {
  std::int64_t features = 1;
  for (const std::int64_t side : spec.input) features *= side;
  NetworkBlocks blocks;
  blocks.push_back(std::make_unique<WholeLinearBlock>(spec.blocks.front().name, "", features, spec.classes));
  return blocks;
}

std::optional<NetworkBlocks> makeNetwork(const ModelSpec& spec) {
  if (spec.arch == "toy") return makeToy(spec);
  if (spec.arch == "linear") return makeLinear(spec);
  return makeResNet(spec);
}

}  // namespace

std::vector<TensorSlot> slotsOf(const NetworkBlocks& blocks) {
  std::vector<TensorSlot> slots;
  for (const auto& block : blocks) slots.insert(slots.end(), block->slots().begin(), block->slots().end());
  return slots;
}

Result<NetworkBlocks> makeBlocks(const ModelSpec& spec) {
  std::optional<NetworkBlocks> blocks = makeNetwork(spec);
  if (!blocks) return Error::badInput("model.arch: the engine cannot build \"{}\".", spec.arch);
  const auto nameOf = [](const auto& block) { return block->name(); };
  if (!std::ranges::equal(*blocks, spec.blocks, {}, nameOf, &BlockSpec::name))
    return Error::failed("The description of {} and the network of the engine differ in their blocks.", spec.arch);
  return std::move(*blocks);
}

}  // namespace lanelab
