// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/gradient_norm.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include <cstddef>

namespace lanelab {

namespace {

constexpr double kLeastNorm = 1e-6;  ///< that PyTorch adds before it divides

}  // namespace

GradientNorms gradientNorms(const std::vector<std::string>& names, const std::vector<at::Tensor>& parameters) {
  const at::NoGradGuard no_grad;
  std::vector<std::string> named;
  std::vector<at::Tensor> each;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].grad().defined()) continue;
    named.push_back(names[i]);
    each.push_back(at::linalg_vector_norm(parameters[i].grad()));
  }
  GradientNorms norms;
  if (each.empty()) return norms;
  const at::Tensor there = at::stack(each).to(at::kCPU, at::kFloat);  // one transfer for all
  for (std::size_t i = 0; i < named.size(); ++i) norms[named[i]] = there.const_data_ptr<float>()[i];
  return norms;
}

double clipFactor(const GradientNorms& norms, double most) {
  std::vector<float> in_order;
  for (const auto& [name, norm] : norms) in_order.push_back(norm);
  const at::Tensor total = at::linalg_vector_norm(at::tensor(in_order, at::TensorOptions().dtype(at::kFloat)));
  return at::clamp_max(total.add(kLeastNorm).reciprocal().mul(most), 1).item<double>();
}

void scaleGradients(const std::vector<at::Tensor>& parameters, double factor) {
  if (factor == 1) return;
  const at::NoGradGuard no_grad;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().mul_(factor);
  }
}

}  // namespace lanelab
