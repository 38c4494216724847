// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/kernels/parameter_update.h"

#include <ATen/Parallel.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/zeros_like.h>
#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

#include "base/stop_point.h"
#include "engine/model/update_piece.h"
#include "engine/torch/kernels/update_loops.h"

namespace lanelab {

namespace {

void sgdByOperators(const at::Tensor& parameter, at::Tensor gradient, at::Tensor& velocity, const SgdRule& rule) {
  if (rule.weight_decay != 0) gradient = gradient.add(parameter, rule.weight_decay);
  if (rule.momentum != 0) {
    if (velocity.defined()) {
      velocity.mul_(rule.momentum).add_(gradient);
    } else {
      velocity = gradient.clone();
    }
    gradient = rule.nesterov ? gradient.add(velocity, rule.momentum) : velocity;
  }
  parameter.add_(gradient, -rule.lr);
}

double rateOf(const AdamRule& rule) { return rule.lr / (1 - std::pow(rule.beta1, rule.step)); }
double rootOf(const AdamRule& rule) { return std::sqrt(1 - std::pow(rule.beta2, rule.step)); }

void adamByOperators(const at::Tensor& parameter, at::Tensor gradient, const at::Tensor& mean, const at::Tensor& square,
                     const AdamRule& rule) {
  if (rule.weight_decay != 0) gradient = gradient.add(parameter, rule.weight_decay);
  mean.lerp_(gradient, 1 - rule.beta1);
  square.mul_(rule.beta2).addcmul_(gradient, gradient, 1 - rule.beta2);
  parameter.addcdiv_(mean, square.sqrt().div_(rootOf(rule)).add_(rule.epsilon), -rateOf(rule));
}

/// Whether the n-th number in memory is the same element of both. Strides of one element say nothing.
bool sameOrder(const at::Tensor& a, const at::Tensor& b) {
  for (std::int64_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) != 1 && a.stride(i) != b.stride(i)) return false;
  }
  return a.sizes() == b.sizes();
}

bool fuses(const at::Tensor& parameter, std::initializer_list<at::Tensor> others) {
  const auto fits = [&](const at::Tensor& tensor) {
    return tensor.is_cpu() && tensor.scalar_type() == at::kFloat && tensor.is_non_overlapping_and_dense() &&
           sameOrder(parameter, tensor);
  };
  return fits(parameter) && std::ranges::all_of(others, fits) && fusesUpdates();
}

/// work(begin, count) for pieces of `numbers` numbers, on the threads of this lane.
template <class Work>
void forEachPiece(std::int64_t numbers, const Work& work) {
  const std::int64_t pieces = (numbers + kUpdatePieceNumbers - 1) / kUpdatePieceNumbers;
  at::parallel_for(0, pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t piece = begin; piece < end; ++piece) {
      const std::int64_t from = piece * kUpdatePieceNumbers;
      work(from, std::min(kUpdatePieceNumbers, numbers - from));
    }
  });
}

/// Autograd learns of it.
float* written(const at::Tensor& tensor) {
  tensor.unsafeGetTensorImpl()->bump_version();
  return tensor.mutable_data_ptr<float>();
}

void fusedSgd(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& velocity, const SgdRule& rule,
              const UpdateLoops& loops) {
  RECORD_FUNCTION("lanelab::update_sgd", (std::array<c10::IValue, 3>{parameter, gradient, velocity}));
  const bool first = rule.momentum != 0 && !velocity.defined();
  if (first) velocity = at::empty_like(gradient);
  const SgdNumbers numbers{static_cast<float>(rule.lr), static_cast<float>(rule.weight_decay),
                           static_cast<float>(rule.momentum), rule.nesterov, first};
  float* const p = written(parameter);
  float* const v = rule.momentum != 0 ? written(velocity) : nullptr;
  const float* const g = gradient.const_data_ptr<float>();
  forEachPiece(parameter.numel(), [&](std::int64_t begin, std::int64_t count) {
    loops.sgd(p + begin, g + begin, v ? v + begin : nullptr, count, numbers);
  });
}

/// Square roots of a piece, by PyTorch's operator.
class Roots {
 public:
  Roots(const at::Tensor& square, std::int64_t begin, std::int64_t count) {
    const at::AutoDispatchBelowADInplaceOrView below_autograd;
    const at::DisableRecordFunctionGuard unseen;
    m_roots = at::empty({count}, square.options());
    at::sqrt_out(m_roots, square.as_strided({count}, {1}, square.storage_offset() + begin));
  }
  const float* numbers() const { return m_roots.const_data_ptr<float>(); }

 private:
  at::Tensor m_roots;
};

void fusedAdam(const at::Tensor& parameter, const at::Tensor& gradient, const at::Tensor& mean,
               const at::Tensor& square, const AdamRule& rule, const UpdateLoops& loops) {
  RECORD_FUNCTION("lanelab::update_adam", (std::array<c10::IValue, 4>{parameter, gradient, mean, square}));
  const AdamNumbers numbers{static_cast<float>(rule.weight_decay), static_cast<float>(1 - rule.beta1),
                            static_cast<float>(rule.beta2),        static_cast<float>(1 - rule.beta2),
                            static_cast<float>(rootOf(rule)),      static_cast<float>(rule.epsilon),
                            static_cast<float>(rateOf(rule))};
  float *const p = written(parameter), *const m = written(mean), *const s = written(square);
  const float* const g = gradient.const_data_ptr<float>();
  forEachPiece(parameter.numel(), [&](std::int64_t begin, std::int64_t count) {
    loops.moments(p + begin, g + begin, m + begin, s + begin, count, numbers);
    const Roots roots(square, begin, count);
    loops.adam(p + begin, m + begin, roots.numbers(), count, numbers);
  });
}

/// Two updates each way of numbers of many sizes and both signs.
bool roundsAsOperators(const UpdateLoops& loops) {
  const at::DisableRecordFunctionGuard unseen;
  const at::Tensor start = at::linspace(-3, 3, 1001), gradient = at::linspace(-0.7, 1.3, 1001).pow(3);
  const SgdRule sgd{0.013, 0.9, 0.01, true};
  AdamRule adam{0.0017, 0.01};
  at::Tensor by_operators = start.clone(), by_loops = start.clone(), operators_velocity, loops_velocity;
  at::Tensor adam_operators = start.clone(), adam_loops = start.clone();
  std::array<at::Tensor, 4> moments;
  for (at::Tensor& moment : moments) moment = at::zeros_like(start);
  for (; adam.step <= 2; ++adam.step) {
    sgdByOperators(by_operators, gradient, operators_velocity, sgd);
    fusedSgd(by_loops, gradient, loops_velocity, sgd, loops);
    adamByOperators(adam_operators, gradient, moments[0], moments[1], adam);
    fusedAdam(adam_loops, gradient, moments[2], moments[3], adam, loops);
  }
  return at::equal(by_operators, by_loops) && at::equal(operators_velocity, loops_velocity) &&
         at::equal(adam_operators, adam_loops) && at::equal(moments[0], moments[2]) &&
         at::equal(moments[1], moments[3]);
}

/// Null where the operators round otherwise.
const UpdateLoops* loopsHere() {
  static const UpdateLoops* const loops = [] {
    const UpdateLoops* const widest = updateLoops(widestSimd());
    return widest && roundsAsOperators(*widest) ? widest : nullptr;
  }();
  return loops;
}

}  // namespace

bool fusesUpdates() { return loopsHere() != nullptr; }

void updateBySgd(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& velocity, const SgdRule& rule,
                 UpdateForm form) {
  stopPoint();
  const at::NoGradGuard no_grad;
  const at::Tensor& beside = velocity.defined() ? velocity : gradient;
  if (form == UpdateForm::Fastest && fuses(parameter, {gradient, beside})) {
    fusedSgd(parameter, gradient, velocity, rule, *loopsHere());
  } else {
    sgdByOperators(parameter, gradient, velocity, rule);
  }
}

void updateByAdam(const at::Tensor& parameter, const at::Tensor& gradient, at::Tensor& mean, at::Tensor& square,
                  const AdamRule& rule, UpdateForm form) {
  stopPoint();
  const at::NoGradGuard no_grad;
  if (!mean.defined()) {
    mean = at::zeros_like(parameter);
    square = at::zeros_like(parameter);
  }
  if (form == UpdateForm::Fastest && fuses(parameter, {gradient, mean, square})) {
    fusedAdam(parameter, gradient, mean, square, rule, *loopsHere());
  } else {
    adamByOperators(parameter, gradient, mean, square, rule);
  }
}

}  // namespace lanelab
