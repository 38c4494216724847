// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/norm_layer.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/hardswish.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros_like.h>

#include <utility>

#include "engine/torch/nn/norm_function.h"

namespace lanelab {

namespace {

// No cuDNN: its channels_last kernel is a persistent one that stalls when lanes share the multiprocessors
// (pytorch#80259).
at::Tensor normalised(const NormTensors& norm, const at::Tensor& x, bool training) {
  return at::batch_norm(x, norm.weight, norm.bias, norm.running_mean, norm.running_var, training, norm.momentum,
                        norm.epsilon, /*cudnn_enabled=*/false);
}

void move(at::Tensor& running, const at::Tensor& batch, double momentum) {
  running.copy_(running.to(at::kDouble).mul_(1 - momentum).add_(batch, momentum));
}

/// Of a tensor that nobody else has.
at::Tensor activated(at::Tensor y, NormActivation activation) {
  switch (activation) {
    case NormActivation::None: return y;
    case NormActivation::Relu: return at::relu_(y);
    case NormActivation::Relu6: return at::hardtanh(y, 0, 6);
    case NormActivation::Silu: return at::silu(y);
    case NormActivation::Hardswish: return at::hardswish(y);
  }
  return y;
}

void countOne(NormLayer& norm) {
  if (norm.count.defined()) norm.count.add_(1);
}

}  // namespace

NormTensors NormLayer::tensorsFor(const at::Tensor& x) {
  switch (statistics) {
    case NormStatistics::MoveEachTime: countOne(*this); return {weight, bias, mean, var, momentum, epsilon};
    case NormStatistics::LeaveAlone: return {weight, bias, {}, {}, momentum, epsilon};
    case NormStatistics::Collect: break;
  }
  // With a momentum of 1 the kernel itself leaves the micro-batch's statistics.
  collected.push_back({at::zeros_like(mean), at::zeros_like(var), x.numel() / channels});
  return {weight, bias, collected.back().mean, collected.back().var, 1, epsilon};
}

bool NormLayer::fuses(const at::Tensor& x, bool training) const {
  return fused && training && weight.defined() && bias.defined() && fitsFusedNorm(x);
}

at::Tensor NormLayer::forward(const at::Tensor& x, bool training) {
  if (!training) return normalised({weight, bias, mean, var, momentum, epsilon}, x, false);
  const NormTensors tensors = tensorsFor(x);
  return fuses(x, training) ? fusedNormOf(x, tensors, NormActivation::None) : normalised(tensors, x, true);
}

Activation NormLayer::forwardActivated(const at::Tensor& x, bool training, NormActivation activation) {
  const bool again = remakes && training && at::GradMode::is_enabled() && weight.defined() && bias.defined();
  if (fuses(x, training)) {
    const NormTensors tensors = tensorsFor(x);
    return again ? remadeNormOf(x, tensors, activation) : Activation(fusedNormOf(x, tensors, activation));
  }
  if (again && activation == NormActivation::Relu) return remadeAtenNormRelu(x, tensorsFor(x));
  return activated(forward(x, training), activation);
}

at::Tensor NormLayer::forwardSum(const at::Tensor& x, const std::function<at::Tensor()>& beside, bool training,
                                 NormActivation activation) {
  if (fuses(x, training)) return fusedNormOf(x, tensorsFor(x), activation, beside());
  at::Tensor y = forward(x, training);
  y += beside();
  return activated(std::move(y), activation);
}

void NormLayer::commit() {
  if (collected.empty()) return;
  const at::NoGradGuard no_grad;
  at::Tensor batch_mean = collected.front().mean.to(at::kDouble);
  at::Tensor squares = at::zeros_like(batch_mean);  // of the deviations from the mean, summed
  double values = 0;
  for (const Collected& part : collected) {
    const auto added = static_cast<double>(part.values);
    const at::Tensor apart = part.mean.to(at::kDouble).sub_(batch_mean);
    squares.add_(part.var.to(at::kDouble), added - 1).add_(apart.square(), values * added / (values + added));
    values += added;
    batch_mean.add_(apart, added / values);
  }
  move(mean, batch_mean, momentum);
  move(var, squares.div_(values - 1), momentum);
  countOne(*this);
  collected.clear();
}

}  // namespace lanelab
