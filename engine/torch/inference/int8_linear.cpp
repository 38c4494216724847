// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/int8_linear.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/_weight_int8pack_mm.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/linear.h>

namespace lanelab {
namespace {

/// PyTorch's kernel for int8 weights wins for a few rows of bf16 (0.15 ms against 0.57 ms for one row of 1024 by 2816
/// weights on one core); for more rows, and for fp32 always, turning the weight into the type of x and multiplying as
/// usual does. The kernel reads whole vectors, past the end of shorter rows.
constexpr std::int64_t kFewRows = 4, kWholeVectors = 64;

bool suitsKernel(const at::Tensor& x, const LinearWeights& layer, std::int64_t rows) {
  return x.is_cpu() && x.scalar_type() == at::kBFloat16 && rows <= kFewRows &&
         layer.weight.size(0) % kWholeVectors == 0 && layer.weight.size(1) % kWholeVectors == 0;
}

at::Tensor productOf(const at::Tensor& x, const LinearWeights& layer) {
  const std::int64_t in = layer.weight.size(1), rows = x.numel() / in;
  if (suitsKernel(x, layer, rows)) {
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = layer.weight.size(0);
    return at::_weight_int8pack_mm(x.reshape({rows, in}).contiguous(), layer.weight, layer.scale).view(shape);
  }
  return at::linear(x, layer.weight.to(x.scalar_type())).mul_(layer.scale);
}

}  // namespace

LinearWeights quantised(const at::Tensor& weight, const at::Tensor& bias) {
  const at::Tensor exact = weight.to(at::kFloat);
  at::Tensor scale = exact.abs().amax(1).div_(127);
  scale.masked_fill_(scale == 0, 1);
  // The error of a scale in fewer bits is taken up by the rounded values.
  scale = scale.to(weight.scalar_type());
  at::Tensor rows = exact.div(scale.to(at::kFloat).unsqueeze(1)).round_().clamp_(-127, 127).to(at::kChar);
  return {std::move(rows), bias, std::move(scale)};
}

at::Tensor linearOf(const at::Tensor& x, const LinearWeights& layer) {
  if (!layer.scale.defined()) return at::linear(x, layer.weight, layer.bias);
  at::Tensor y = productOf(x, layer);
  return layer.bias.defined() ? y.add_(layer.bias) : y;
}

}  // namespace lanelab
