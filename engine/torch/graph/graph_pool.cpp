// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_pool.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/max_pool2d_with_indices.h>
#include <ATen/ops/max_pool2d_with_indices_backward.h>
#include <torch/csrc/autograd/custom_function.h>

#include <array>

#include "engine/torch/graph/graph_arguments.h"

namespace lanelab {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Pair = std::array<std::int64_t, 2>;

struct PoolWindows {
  Pair kernel, stride, padding, dilation;
  bool ceil = false;
};

struct PoolWay : torch::CustomClassHolder {
  explicit PoolWay(const PoolWindows& its_windows) : windows(its_windows) {}
  PoolWindows windows;
};

class ShapePool : public torch::autograd::Function<ShapePool> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& of_its_shape,
                            const c10::intrusive_ptr<PoolWay>& way) {
    const PoolWindows& w = way->windows;
    auto [y, indices] = at::max_pool2d_with_indices(x, w.kernel, w.stride, w.padding, w.dilation, w.ceil);
    context->save_for_backward({of_its_shape, indices});
    context->saved_data["way"] = c10::IValue::make_capsule(way);
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const auto way = c10::static_intrusive_pointer_cast<PoolWay>(context->saved_data["way"].toCapsule());
    const PoolWindows& w = way->windows;
    return {at::max_pool2d_with_indices_backward(gradients[0], saved[0], w.kernel, w.stride, w.padding, w.dilation,
                                                 w.ceil, saved[1]),
            {},
            {}};
  }
};

}  // namespace

GraphOperation graphPool(const ExportedNode& node) {
  const auto kernel = pairOr(node, "kernel_size", 1);
  // An empty stride is the kernel.
  const ExportedArgument* const given = argumentOf(node, "stride");
  const auto* const list = given ? std::get_if<std::vector<std::int64_t>>(given) : nullptr;
  const auto stride = given == nullptr || (list && list->empty()) ? kernel : pairOr(node, "stride", 1);
  const auto padding = pairOr(node, "padding", 0), dilation = pairOr(node, "dilation", 1);
  if (!kernel || !stride || !padding || !dilation) return {};
  const ValueId input = requiredValue(node, "self"), output = node.outputs.at(0).value();
  const auto way = c10::make_intrusive<PoolWay>(
      PoolWindows{*kernel, *stride, *padding, *dilation, flagOr(node, "ceil_mode", false)});
  return [input, output, way](GraphFrame& frame, const GraphPass&) {
    const at::Tensor x = frame[input].toTensor();
    const PoolWindows& w = way->windows;
    const auto remade = frame.remade(input);
    frame[output] = remade ? ShapePool::apply(x, remade->source().detach(), way)
                           : at::max_pool2d(x, w.kernel, w.stride, w.padding, w.dilation, w.ceil);
  };
}

}  // namespace lanelab
