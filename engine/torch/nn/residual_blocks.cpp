// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/residual_blocks.h"

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>

namespace lanelab {

namespace {

constexpr std::int64_t kStemChannels = 64;

}  // namespace

StemBlock::StemBlock(std::string name, std::int64_t in)
    : NetworkBlock(std::move(name)), m_conv{in, kStemChannels, 7, 2, {}}, m_norm{kStemChannels, {}, {}, {}, {}, {}} {
  for (auto& slot : m_conv.slots("conv1")) addSlot(std::move(slot));
  for (auto& slot : m_norm.slots("bn1")) addSlot(std::move(slot));
  addNorm(m_norm);
}

at::Tensor StemBlock::forward(const at::Tensor& input, bool training) {
  at::Tensor x = m_norm.forward(m_conv.forward(input), training);
  return at::max_pool2d(at::relu_(x), {3, 3}, {2, 2}, {1, 1});
}

ResidualBlock::ResidualBlock(std::string name, const ResidualShape& shape) : NetworkBlock(std::move(name)) {
  const auto unit = [](std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride) {
    return Unit{{in, out, kernel, stride, {}}, {out, {}, {}, {}, {}, {}}};
  };
  if (shape.bottleneck) {
    m_branch = {unit(shape.in, shape.width, 1, 1), unit(shape.width, shape.width, 3, shape.stride),
                unit(shape.width, shape.out, 1, 1)};
  } else {
    m_branch = {unit(shape.in, shape.width, 3, shape.stride), unit(shape.width, shape.out, 3, 1)};
  }
  if (shape.stride != 1 || shape.in != shape.out) {
    m_projection = unit(shape.in, shape.out, 1, shape.stride);
  }
  const std::string prefix = this->name() + ".";
  for (std::size_t i = 0; i < m_branch.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    for (auto& slot : m_branch[i].conv.slots(prefix + "conv" + number)) addSlot(std::move(slot));
    for (auto& slot : m_branch[i].norm.slots(prefix + "bn" + number)) addSlot(std::move(slot));
    addNorm(m_branch[i].norm);
  }
  if (m_projection) {
    for (auto& slot : m_projection->conv.slots(prefix + "downsample.0")) addSlot(std::move(slot));
    for (auto& slot : m_projection->norm.slots(prefix + "downsample.1")) addSlot(std::move(slot));
    addNorm(m_projection->norm);
  }
}

at::Tensor ResidualBlock::forward(const at::Tensor& input, bool training) {
  at::Tensor x = input;
  for (std::size_t i = 0; i < m_branch.size(); ++i) {
    x = m_branch[i].norm.forward(m_branch[i].conv.forward(x), training);
    if (i + 1 < m_branch.size()) {
      at::relu_(x);
    }
  }
  x += m_projection ? m_projection->norm.forward(m_projection->conv.forward(input), training) : input;
  return at::relu_(x);
}

HeadBlock::HeadBlock(std::string name, std::int64_t in, std::int64_t classes)
    : NetworkBlock(std::move(name)), m_fc{in, classes, {}, {}} {
  for (auto& slot : m_fc.slots("fc")) addSlot(std::move(slot));
}

at::Tensor HeadBlock::forward(const at::Tensor& input, bool) {
  return m_fc.forward(at::adaptive_avg_pool2d(input, {1, 1}).flatten(1));
}

}  // namespace lanelab
