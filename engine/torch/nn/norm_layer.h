// SPDX-License-Identifier: GPL-3.0-only
// A batch norm on plain tensors, with what follows it, and what becomes of its running statistics.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/torch/kernels/fused_norm.h"
#include "engine/torch/nn/activation.h"
#include "engine/torch/nn/norm_statistics.h"

namespace lanelab {

/// A batch norm: normalises a micro-batch by its own statistics in training, whatever `statistics` says.
///
/// Collect is torchgpipe's DeferredBatchNorm (torchgpipe/batchnorm.py) with two faults corrected: the variance is
/// unbiased, as BatchNorm2d's, and micro-batches are merged by Chan's formula in double precision, so that a large mean
/// cancels nothing (Chan, Golub, LeVeque 1979).
struct NormLayer {
  std::int64_t channels;
  at::Tensor weight, bias, mean, var, count;  ///< without the first two it only normalises; the last may be missing
  NormStatistics statistics = NormStatistics::MoveEachTime;
  double momentum = 0.1, epsilon = 1e-5;  ///< BatchNorm2d's own

  at::Tensor forward(const at::Tensor& x, bool training);
  /// activation(forward(x)), and with a second addend activation(forward(x) + beside()), where isKnownByItsOutput().
  Activation forwardActivated(const at::Tensor& x, bool training, NormActivation activation);
  at::Tensor forwardSum(const at::Tensor& x, const std::function<at::Tensor()>& beside, bool training,
                        NormActivation activation);
  /// Moves the running statistics by what was collected, and forgets it. Nothing collected: nothing happens.
  void commit();
  void forgetCollected() { collected.clear(); }

  struct Collected {
    at::Tensor mean, var;  ///< of one micro-batch; the variance is unbiased
    std::int64_t values;   ///< a channel
  };
  std::vector<Collected> collected = {};  ///< this step, in the order of the forwards
  bool remakes = false;  ///< Rule::RemadeActivation: forwardActivated() gives what the backward makes again
  bool fused = false;    ///< Rule::FusedNorm: in training, where the kernels take its input (engine/torch/kernels)

 private:
  bool fuses(const at::Tensor& x, bool training) const;
  /// The tensors of one forward in training, with what becomes of running statistics.
  NormTensors tensorsFor(const at::Tensor& x);
};

}  // namespace lanelab
