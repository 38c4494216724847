// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/received_values.h"

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/functions/utils.h>

#include <memory>
#include <type_traits>
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

/// A new node, owned as the version of PyTorch owns nodes: by std::shared_ptr in 2.11, later by c10::intrusive_ptr.
template <class Owner>
Owner newNode() {
  if constexpr (std::is_same_v<Owner, std::shared_ptr<torch::autograd::Node>>) {
    return std::make_shared<ReceivedValue>();
  } else {
    return c10::make_intrusive<ReceivedValue>();
  }
}

}  // namespace

at::Tensor receivedValue(const at::Tensor& value) {
  at::Tensor received = value.detach();
  torch::autograd::set_history(received, newNode<std::decay_t<decltype(received.grad_fn())>>());
  return received;
}

at::Tensor takeGradient(const at::Tensor& received) {
  auto* const end = dynamic_cast<ReceivedValue*>(received.grad_fn().get());
  return end ? std::exchange(end->gradient, at::Tensor()) : at::Tensor();
}

}  // namespace lanelab
