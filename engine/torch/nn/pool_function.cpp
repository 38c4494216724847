// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/pool_function.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>

#include <array>
#include <utility>

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::array<std::int64_t, 2> kKernel{3, 3}, kStride{2, 2}, kPadding{1, 1}, kDilation{1, 1};

class MaxPool : public torch::autograd::Function<MaxPool> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& of_its_shape) {
    auto [y, indices] = at::max_pool2d_with_indices(x, kKernel, kStride, kPadding, kDilation, /*ceil_mode=*/false);
    context->save_for_backward({of_its_shape, indices});
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    return {at::max_pool2d_with_indices_backward(gradients[0], saved[0], kKernel, kStride, kPadding, kDilation,
                                                 /*ceil_mode=*/false, saved[1]),
            {}};
  }
};

}  // namespace

at::Tensor maxPool(const Activation& x) {
  return x.remade ? MaxPool::apply(x.value, x.remade->source().detach())
                  : at::max_pool2d(x.value, kKernel, kStride, kPadding);
}

}  // namespace lanelab
