// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/attention_operation.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <utility>
#include <vector>

namespace lanelab {
namespace {

/// What is computed below autograd, views of it would record.
class RecordedAs {
 public:
  explicit RecordedAs(const GraphPass& pass) : m_mode(pass.recorded && at::GradMode::is_enabled()) {}

 private:
  at::AutoGradMode m_mode;
};

/// From tokens, samples, 3 x width, samples first in memory. As views, which the CPU's attention takes in any order.
at::Tensor mixedRows(const at::Tensor& packed, const SelfAttention& attention) {
  const std::vector<at::Tensor> parts = packed.transpose(0, 1).unflatten(-1, {3, attention.heads, -1}).unbind(2);
  const auto by_heads = [&](std::size_t part) { return parts[part].transpose(1, 2); };
  const at::Tensor mixed =
      at::scaled_dot_product_attention(by_heads(0), by_heads(1), by_heads(2), {}, 0, attention.causal, attention.scale);
  return mixed.transpose(1, 2).flatten(2).flatten(0, 1);
}

}  // namespace

GraphOperation projectionOperation(const SelfAttention& attention, GraphOperation linear) {
  return [rows = attention.rows, packed = attention.packed, linear = std::move(linear)](GraphFrame& frame,
                                                                                        const GraphPass& pass) {
    const RecordedAs mode(pass);
    frame[rows] = frame[rows].toTensor().transpose(0, 1);
    linear(frame, pass);
    frame[packed] = frame[packed].toTensor().transpose(0, 1);
  };
}

GraphOperation attentionOperation(const SelfAttention& attention, std::size_t node) {
  const bool mixes = node == attention.calls.back();
  return [attention, mixes](GraphFrame& frame, const GraphPass& pass) {
    const RecordedAs mode(pass);
    if (mixes)
      frame[attention.mixed] = mixedRows(frame[attention.packed].toTensor(), attention);
    else
      frame[attention.made] = frame[attention.projected].toTensor().unflatten(0, {-1, attention.tokens});
  };
}

}  // namespace lanelab
