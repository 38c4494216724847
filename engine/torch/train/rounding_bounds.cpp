// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/rounding_bounds.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <cmath>

namespace lanelab {

namespace {

/// Other kernels, other numbers of threads and longer sums round somewhat more than one more training of the reference.
constexpr double kMargin = 16;

/// The step from 1 to the next number.
double epsilonOf(Precision precision) {
  return precision == Precision::Bf16 ? std::ldexp(1.0, -7) : std::ldexp(1.0, -23);
}

/// On the CPU, products in tf32 are those of fp32; on a GPU they have 13 bits less.
double marginOf(Precision precision) { return precision == Precision::Tf32 ? kMargin * std::ldexp(1.0, 13) : kMargin; }

void widen(RoundingBounds& bounds, const TensorMap& reference, const TensorMap& moved, double margin) {
  for (const auto& [name, tensor] : moved) {
    const auto wanted = reference.find(name);
    if (wanted == reference.end() || !tensor.is_floating_point()) continue;
    const double off = sizeOf(tensor.to(at::kDouble).sub(wanted->second.to(at::kDouble)));
    if (std::isfinite(off)) bounds[name] = std::max(bounds[name], margin * off);
  }
}

}  // namespace

TensorMap nudged(const TensorMap& weights, const TensorMap& gradients, Precision precision, int training) {
  const at::Generator generator = at::detail::createCPUGenerator(static_cast<std::uint64_t>(training));
  const double epsilon = epsilonOf(precision);
  TensorMap moved = weights;
  for (auto& [name, tensor] : moved) {
    if (!gradients.contains(name)) continue;
    const at::Tensor up = at::empty_like(tensor).bernoulli_(0.5, generator);
    tensor = tensor.mul(up.mul(2 * epsilon).add(1 - epsilon));
  }
  return moved;
}

void widen(MeasuredRounding& rounding, const PlainResult& reference, const PlainResult& moved, Precision precision,
           double most) {
  ++rounding.trainings;
  const double margin = marginOf(precision);
  widen(rounding.gradients, reference.gradients, moved.gradients, margin);
  widen(rounding.weights, reference.weights, moved.weights, margin);
  double largest = 0;
  for (const auto& [name, gradient] : reference.gradients) largest = std::max(largest, sizeOf(gradient));
  for (auto& [name, bound] : rounding.gradients) bound = std::min(bound, most * largest);
}

}  // namespace lanelab
