// SPDX-License-Identifier: GPL-3.0-only
// The update of one parameter by SGD and by Adam: torch.optim's single-tensor forms (torch/optim/sgd.py, adam.py), to
// the bit.
//
// Operator by operator Adam goes over memory 20 times where 7 are needed, SGD with momentum 8 times for 5. On a CPU in
// fp32 each number is therefore read and written once. at::_fused_adam_ and at::_fused_sgd_ do that too, but round
// otherwise. Whether the bits are those of the operators is tried once on some numbers; where they are not, the
// operators do it.
#pragma once

#include <ATen/core/Tensor.h>

namespace lanelab {

struct SgdRule {
  double lr = 0, momentum = 0, weight_decay = 0;
  bool nesterov = false;
};

struct AdamRule {
  double lr = 0, weight_decay = 0;
  int step = 1;  ///< counts from 1
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

/// How an update is done.
enum class UpdateForm {
  Fastest,   ///< fused where possible
  Operators  ///< by PyTorch's operators
};

/// `velocity` is made by the first update with momentum. Threads: all of the calling lane. Throws what torch throws if
/// memory is short, and Stopped.
void updateBySgd(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& velocity, const SgdRule& rule,
                 UpdateForm form = UpdateForm::Fastest);

/// `mean` and `square` are made by the first update.
void updateByAdam(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& mean, at::Tensor& square,
                  const AdamRule& rule, UpdateForm form = UpdateForm::Fastest);

/// Whether this machine's operators round as the fused loops do.
bool fusesUpdates();

}  // namespace lanelab
