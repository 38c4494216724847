// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/residual_blocks.h"

#include <ATen/ops/adaptive_avg_pool2d.h>

#include <array>
#include <map>
#include <utility>

#include "engine/torch/nn/layers.h"
#include "engine/torch/nn/pool_function.h"

namespace lanelab {

namespace {

constexpr std::int64_t kStemChannels = 64;

/// conv1, bn1, relu, maxpool.
class StemBlock : public NetworkBlock {
 public:
  StemBlock(std::string name, std::int64_t in)
      : NetworkBlock(std::move(name)), m_conv{in, kStemChannels, 7, 2, {}}, m_norm{kStemChannels, {}, {}, {}, {}, {}} {
    addSlots(m_conv.slots("conv1."));
    addSlots(m_norm.slots("bn1."));
    addNorm(m_norm);
  }

  at::Tensor forward(const at::Tensor& input, bool training) override {
    return maxPool(m_norm.forwardActivated(m_conv.forward(input), training, NormActivation::Relu));
  }

 private:
  ConvLayer m_conv;
  NormLayer m_norm;
};

/// What a residual block is made of: `width` channels inside, `out` channels at its end.
struct ResidualShape {
  std::int64_t in, width, out, stride;
  bool bottleneck;  ///< 1x1, 3x3, 1x1 instead of 3x3, 3x3
};

/// BasicBlock and Bottleneck: two or three convolutions beside the identity or a 1x1 projection.
class ResidualBlock : public NetworkBlock {
 public:
  ResidualBlock(std::string block_name, const ResidualShape& shape) : NetworkBlock(std::move(block_name)) {
    const auto unit = [](std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
      return Unit{{in, out, kernel, stride, {}}, {out, {}, {}, {}, {}, {}}};
    };
    if (shape.bottleneck) {
      m_branch = {unit(shape.in, shape.width, 1, 1), unit(shape.width, shape.width, 3, shape.stride),
                  unit(shape.width, shape.out, 1, 1)};
    } else {
      m_branch = {unit(shape.in, shape.width, 3, shape.stride), unit(shape.width, shape.out, 3, 1)};
    }
    for (std::size_t i = 0; i < m_branch.size(); ++i) {
      const std::string number = std::to_string(i + 1);
      addUnit(m_branch[i], "conv" + number, "bn" + number);
    }
    if (shape.stride == 1 && shape.in == shape.out) return;
    m_projection = unit(shape.in, shape.out, 1, shape.stride);
    addUnit(*m_projection, "downsample.0", "downsample.1");
  }

  at::Tensor forward(const at::Tensor& input, bool training) override {
    Activation x = input;
    for (std::size_t i = 0; i + 1 < m_branch.size(); ++i)
      x = m_branch[i].norm.forwardActivated(convolve(m_branch[i], x), training, NormActivation::Relu);
    const at::Tensor last = convolve(m_branch.back(), x);
    const auto beside = [&] {
      return m_projection ? m_projection->norm.forward(m_projection->conv.forward(input), training) : input;
    };
    return m_branch.back().norm.forwardSum(last, beside, training, NormActivation::Relu);
  }

 private:
  struct Unit {
    ConvLayer conv;
    NormLayer norm;
  };

  /// Lets go of `x` as soon as it is done.
  static at::Tensor convolve(const Unit& unit, Activation& x) { return unit.conv.forward(std::exchange(x, {})); }

  void addUnit(Unit& unit, const std::string& conv, const std::string& norm) {
    addSlots(unit.conv.slots(name() + "." + conv + "."));
    addSlots(unit.norm.slots(name() + "." + norm + "."));
    addNorm(unit.norm);
  }

  std::vector<Unit> m_branch;
  std::optional<Unit> m_projection;
};

/// avgpool, flatten, fc.
class HeadBlock : public NetworkBlock {
 public:
  HeadBlock(std::string name, std::int64_t in, std::int64_t classes)
      : NetworkBlock(std::move(name)), m_fc{in, classes, {}, {}} {
    addSlots(m_fc.slots("fc."));
  }

  at::Tensor forward(const at::Tensor& input, bool) override {
    return m_fc.forward(at::adaptive_avg_pool2d(input, {1, 1}).flatten(1));
  }

 private:
  LinearLayer m_fc;
};

struct ResNetPlan {
  bool bottleneck;
  std::array<int, 4> blocks;
};

}  // namespace

std::optional<NetworkBlocks> makeResNet(const ModelSpec& spec) {
  static const std::map<std::string, ResNetPlan> plans = {{"resnet18", {false, {2, 2, 2, 2}}},
                                                          {"resnet34", {false, {3, 4, 6, 3}}},
                                                          {"resnet50", {true, {3, 4, 6, 3}}},
                                                          {"resnet101", {true, {3, 4, 23, 3}}},
                                                          {"resnet152", {true, {3, 8, 36, 3}}}};
  const auto plan = plans.find(spec.arch);
  if (plan == plans.end()) return std::nullopt;
  const auto& [bottleneck, blocks_of_layer] = plan->second;
  NetworkBlocks blocks;
  blocks.push_back(std::make_unique<StemBlock>("stem", spec.input.at(0)));
  std::int64_t in = kStemChannels;
  for (std::size_t layer = 0; layer < blocks_of_layer.size(); ++layer) {
    const std::int64_t width = std::int64_t{64} << layer;
    const std::int64_t out = bottleneck ? 4 * width : width;
    for (int i = 0; i < blocks_of_layer[layer]; ++i) {
      const std::int64_t stride = layer > 0 && i == 0 ? 2 : 1;
      const std::string name = "layer" + std::to_string(layer + 1) + "." + std::to_string(i);
      blocks.push_back(std::make_unique<ResidualBlock>(name, ResidualShape{in, width, out, stride, bottleneck}));
      in = out;
    }
  }
  blocks.push_back(std::make_unique<HeadBlock>("head", in, spec.classes));
  return blocks;
}

}  // namespace lanelab
