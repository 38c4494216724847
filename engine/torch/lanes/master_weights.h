// SPDX-License-Identifier: GPL-3.0-only
// fp32 copies of a stage's bf16 weights: they take the optimizer's small steps, which eight bits of mantissa would
// swallow.
//
// Mixed precision training with explicit low-precision weights (Micikevicius et al. 2018; Megatron-LM's main_params and
// main_grads). The gradients of micro-batches add up in fp32, too: a sum in bf16 would lose the later ones.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "engine/torch/nn/initial_weights.h"

namespace lanelab {

/// The lane's thread only.
class MasterWeights {
 public:
  /// What the optimizer moves for this parameter, from now on: its fp32 master, or the parameter itself where it has
  /// more than 16 bits.
  at::Tensor add(const TensorSlot& slot);

  /// Masters and weights back to these values; gradients are dropped.
  void restore(const TensorMap& weights);
  /// Adds the gradients that a micro-batch left in the weights to the masters', and drops them there.
  void collectGradients();
  /// After the optimizer: rounds the masters into the weights.
  void round();
  /// Drops what an unfinished backward left.
  void dropGradients();

  /// The master of this weight, or the tensor itself.
  at::Tensor masterOf(const TensorSlot& slot) const;

 private:
  struct Pair {
    std::string name;
    at::Tensor weight, master;
  };
  std::vector<Pair> m_pairs;
};

}  // namespace lanelab
