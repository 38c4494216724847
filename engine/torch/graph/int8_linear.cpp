// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/int8_linear.h"

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

bool suitsKernel(const at::Tensor& x, const at::Tensor& weight, std::int64_t rows) {
  return x.is_cpu() && x.scalar_type() == at::kBFloat16 && rows <= kFewRows && weight.size(0) % kWholeVectors == 0 &&
         weight.size(1) % kWholeVectors == 0;
}

at::Tensor productOf(const at::Tensor& x, const Int8Weight& weight) {
  const std::int64_t in = weight.rows.size(1), rows = x.numel() / in;
  if (!suitsKernel(x, weight.rows, rows)) return at::linear(x, weight.rows.to(x.scalar_type())).mul_(weight.scale);
  std::vector<std::int64_t> shape = x.sizes().vec();
  shape.back() = weight.rows.size(0);
  return at::_weight_int8pack_mm(x.reshape({rows, in}).contiguous(), weight.rows, weight.scale).view(shape);
}

}  // namespace

Int8Weight quantised(const at::Tensor& weight) {
  const at::Tensor exact = weight.to(at::kFloat);
  at::Tensor scale = exact.abs().amax(1).div_(127);
  scale.masked_fill_(scale == 0, 1);
  // The error of a scale in fewer bits is taken up by the rounded values.
  scale = scale.to(weight.scalar_type());
  at::Tensor rows = exact.div(scale.to(at::kFloat).unsqueeze(1)).round_().clamp_(-127, 127).to(at::kChar);
  return {std::move(rows), std::move(scale)};
}

at::Tensor int8Linear(const at::Tensor& x, const Int8Weight& weight, const std::optional<at::Tensor>& bias) {
  at::Tensor y = productOf(x, weight);
  return bias ? y.add_(*bias) : y;
}

}  // namespace lanelab
