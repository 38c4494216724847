// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/block_builder.h"

#include <utility>

namespace lanelab {
namespace {

// Output size of a convolution or pooling whose padding is half its kernel.
std::int64_t strided(std::int64_t size, std::int64_t kernel, std::int64_t stride) {
  return (size + 2 * (kernel / 2) - kernel) / stride + 1;
}

}  // namespace

BlockBuilder::BlockBuilder(std::string name, std::string type, std::string group, Shape input, bool input_kept)
    : m_input(std::move(input)), m_shape(m_input), m_input_kept(input_kept), m_kept(input_kept) {
  m_block.name = std::move(name);
  m_block.type = std::move(type);
  m_block.group = std::move(group);
}

void BlockBuilder::keep() {
  if (m_at_input && m_input_kept) m_block.received_bytes = numbersOf(m_input) * kFloatBytes;
  if (!m_kept) m_block.activation_bytes += numbersOf(m_shape) * kFloatBytes;
  m_kept = true;
}

void BlockBuilder::produce(OpKind kind, Shape shape, std::int64_t kernel, std::int64_t stride) {
  const bool in_place = kind == OpKind::Relu && m_value != 0;
  m_block.ops.push_back({kind, m_value, 0, std::exchange(m_shape, std::move(shape)), {}, kernel, stride, in_place});
  m_block.ops.back().to = m_shape;
  m_value = static_cast<int>(m_block.ops.size());
  m_kept = false;
  m_at_input = false;
}

void BlockBuilder::list(const std::string& name, const std::string& type, std::int64_t parameters, std::int64_t macs) {
  m_block.layers.push_back({name, type, m_shape, parameters, macs});
  m_block.parameters += parameters;
  m_block.macs += macs;
  m_block.parameter_bytes += parameters * kFloatBytes;
}

void BlockBuilder::conv(const std::string& name, std::int64_t channels, std::int64_t kernel, std::int64_t stride) {
  keep();
  const std::int64_t weights = channels * m_shape[0] * kernel * kernel;
  produce(OpKind::Convolution, {channels, strided(m_shape[1], kernel, stride), strided(m_shape[2], kernel, stride)},
          kernel, stride);
  list(name, "Conv2d", weights, weights * m_shape[1] * m_shape[2]);
}

void BlockBuilder::batchNorm(const std::string& name) {
  keep();
  produce(OpKind::BatchNorm, m_shape);
  list(name, "BatchNorm2d", 2 * m_shape[0], 0);
  m_block.buffer_bytes += 2 * m_shape[0] * kFloatBytes + kInt64Bytes;  // running mean and variance, num_batches_tracked
}

void BlockBuilder::relu() {
  produce(OpKind::Relu, m_shape);
  keep();
}

void BlockBuilder::listRelu(const std::string& name) { list(name, "ReLU", 0, 0); }

void BlockBuilder::maxPool(const std::string& name) {
  keep();
  produce(OpKind::MaxPool, {m_shape[0], strided(m_shape[1], 3, 2), strided(m_shape[2], 3, 2)});
  list(name, "MaxPool2d", 0, 0);
  m_block.activation_bytes += numbersOf(m_shape) * kInt64Bytes;
}

void BlockBuilder::averagePool(const std::string& name) {
  produce(OpKind::AveragePool, {m_shape[0], 1, 1});
  list(name, "AdaptiveAvgPool2d", 0, 0);
}

void BlockBuilder::linear(const std::string& name, std::int64_t features) {
  keep();
  const std::int64_t inputs = numbersOf(m_shape);
  produce(OpKind::Linear, {features});
  list(name, "Linear", inputs * features + features, inputs * features);
}

void BlockBuilder::returnToInput() {
  m_first = m_value;
  m_value = 0;
  m_shape = m_input;
  m_at_input = true;
  m_kept = true;  // the first branch has kept it
}

void BlockBuilder::sum() {
  const bool second = m_first >= 0;
  const int input = second ? m_first : m_value, other = second ? m_value : 0;
  m_block.ops.push_back({OpKind::Sum, input, other, m_shape, m_shape, 1, 1, /*in_place=*/true});
  m_value = static_cast<int>(m_block.ops.size());
  m_first = -1;
}

BlockSpec BlockBuilder::finish() {
  m_block.output = m_shape;
  m_block.output_bytes = numbersOf(m_shape) * kFloatBytes;
  return std::move(m_block);
}

}  // namespace lanelab
