// SPDX-License-Identifier: GPL-3.0-only
// Weight gradients put off: what the input part (I) of a split backward leaves for the weight part (W).
//
// Idea: the weight-gradient store of the zero-bubble fork of Megatron-LM (sail-sg/zero-bubble-pipeline-parallelism).
// Convolutions and linear layers are autograd functions of our own (engine/torch/graph): within an input part they
// compute the gradient of their input and leave a task with all that the gradient of their weight needs. Batch norms
// have no task: their weights' gradients fall out of the input's.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lanelab {

/// The tasks of one stage and micro-batch, in the order in which the backward pass came to them. The lane's thread
/// only.
class DeferredWeights {
 public:
  void add(std::function<void()> task) { m_tasks.push_back({m_label, std::move(task)}); }
  /// Tasks added from now on belong to this block.
  void label(std::uint32_t block) { m_label = block; }

  /// Runs all tasks in order, without autograd, and forgets each with its tensors as soon as it is done. `begins` is
  /// called with a label before its first task.
  void run(const std::function<void(std::uint32_t block)>& begins);
  bool empty() const { return m_tasks.empty(); }

  /// Where backward passes on this thread leave weight gradients now; null: they compute them at once.
  static DeferredWeights* current();

 private:
  struct Task {
    std::optional<std::uint32_t> label;
    std::function<void()> run;
  };
  std::optional<std::uint32_t> m_label;
  std::vector<Task> m_tasks;
};

/// While it lives, backward passes on this thread leave their weight gradients in `store`.
class InputPartOnly {
 public:
  explicit InputPartOnly(DeferredWeights& store);
  ~InputPartOnly();
  InputPartOnly(const InputPartOnly&) = delete;
  InputPartOnly& operator=(const InputPartOnly&) = delete;
};

/// Adds to weight.grad as autograd itself does, bit for bit.
void accumulateGradient(const at::Tensor& weight, const at::Tensor& gradient);

}  // namespace lanelab
