// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/received_values.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <memory>
#include <utility>

namespace lanelab {

namespace {

using torch::autograd::variable_list;

/// Where a stage's graph ends towards the stage before.
class ReceivedValue final : public torch::autograd::Node {
 public:
  variable_list apply(variable_list&& gradients) override {
    gradient = std::move(gradients.front());
    return {};
  }

  at::Tensor gradient;
};

}  // namespace

at::Tensor receivedValue(const at::Tensor& value) {
  const std::shared_ptr<torch::autograd::Node> end(new ReceivedValue, torch::autograd::deleteNode);
  at::Tensor received = value.detach();
  torch::autograd::set_history(received, end);
  return received;
}

at::Tensor takeGradient(const at::Tensor& received) {
  auto* const end = dynamic_cast<ReceivedValue*>(received.grad_fn().get());
  return end ? std::exchange(end->gradient, at::Tensor()) : at::Tensor();
}

}  // namespace lanelab
