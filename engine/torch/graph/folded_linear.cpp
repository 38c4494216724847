// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/folded_linear.h"

#include <ATen/ops/_unsafe_view.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>

#include <vector>

namespace lanelab {

at::Tensor foldedLinear(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
  if (x.dim() <= 2 || x.is_contiguous() || weight.dim() != 2) return at::linear(x, weight, bias);
  std::vector<std::int64_t> sizes = x.sizes().vec();
  sizes.back() = weight.size(0);
  const at::Tensor product = at::_unsafe_view(x.reshape({-1, x.size(-1)}).mm(weight.t()), sizes);
  return bias ? product.add(*bias) : product;
}

}  // namespace lanelab
