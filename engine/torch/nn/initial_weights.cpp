// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/initial_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/files/clipped_name.h"
#include "engine/torch/nn/tensor_pieces.h"

namespace lanelab {

namespace {

at::Tensor emptyFor(const TensorSlot& slot) {
  return at::empty(slot.shape, at::TensorOptions().dtype(slot.traits.type));
}

double fanIn(const TensorSlot& slot) {
  std::int64_t fan = 1;
  for (std::size_t i = 1; i < slot.shape.size(); ++i) fan *= slot.shape[i];
  return static_cast<double>(fan);
}

/// kaiming_uniform_ with a = sqrt(5), the default of nn.Conv2d and nn.Linear; the expressions are PyTorch's, so that
/// rounding agrees.
void drawDefault(at::Tensor& weight, double fan_in, const at::Generator& generator) {
  const double a = std::sqrt(5.0);
  const double gain = std::sqrt(2.0 / (1 + a * a));
  const double bound = std::sqrt(3.0) * (gain / std::sqrt(fan_in));
  inPieces(weight, [&](at::Tensor piece) { piece.uniform_(-bound, bound, generator); });
}

/// kaiming_normal_ with mode fan_out and nonlinearity relu.
void drawKaimingNormal(at::Tensor& weight, const TensorSlot& slot, const at::Generator& generator) {
  const double fan_out = static_cast<double>(slot.shape[0] * slot.shape[2] * slot.shape[3]);
  const double deviation = std::sqrt(2.0) / std::sqrt(fan_out);
  inPieces(weight, [&](at::Tensor piece) { piece.normal_(0, deviation, generator); });
}

/// The constructor's draws of one block, its downsample first.
void drawConstructor(const NetworkBlock& block, const at::Generator& generator, TensorMap& weights) {
  std::vector<const TensorSlot*> order;
  for (const TensorSlot& slot : block.slots()) order.push_back(&slot);
  std::stable_partition(order.begin(), order.end(),
                        [](const TensorSlot* slot) { return slot->name.find(".downsample.") != std::string::npos; });
  double fan_in = 1;
  for (const TensorSlot* slot : order) {
    if (slot->role == SlotRole::ConvWeight || slot->role == SlotRole::LinearWeight) {
      fan_in = fanIn(*slot);
      drawDefault(weights[slot->name] = emptyFor(*slot), fan_in, generator);
    } else if (slot->role == SlotRole::LinearBias) {
      const double bound = 1 / std::sqrt(fan_in);
      (weights[slot->name] = emptyFor(*slot)).uniform_(-bound, bound, generator);
    } else {
      const bool one = slot->role == SlotRole::NormWeight || slot->role == SlotRole::NormVar;
      weights[slot->name] = at::full(slot->shape, one ? 1 : 0, at::TensorOptions().dtype(slot->traits.type));
    }
  }
}

bool fits(const at::Tensor& tensor, const TensorSlot& slot) {
  return tensor.sizes() == at::IntArrayRef(slot.shape) &&
         tensor.is_floating_point() == c10::isFloatingType(slot.traits.type);
}

}  // namespace

TensorMap drawInitialWeights(const NetworkBlocks& blocks, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  TensorMap weights;
  for (const auto& block : blocks) {
    drawConstructor(*block, generator, weights);
  }
  for (const auto& block : blocks) {
    for (const TensorSlot& slot : block->slots()) {
      if (slot.role == SlotRole::ConvWeight) drawKaimingNormal(weights[slot.name], slot, generator);
    }
  }
  return weights;
}

Result<TensorMap> matchWeights(const std::vector<TensorSlot>& slots, TensorMap weights, const std::string& place) {
  TensorMap matched;
  std::vector<std::string> missing, wrong;
  for (const TensorSlot& slot : slots) {
    const auto found = weights.find(slot.name);
    if (found == weights.end() && slot.traits.zero_if_missing) {
      matched[slot.name] = at::zeros(slot.shape, at::TensorOptions().dtype(slot.traits.type));
    } else if (found == weights.end()) {
      missing.push_back(slot.name);
    } else if (!fits(found->second, slot)) {
      const auto sizes = found->second.sizes();
      wrong.push_back(slot.name + " (" + (sizes.empty() ? "a number" : formatShape(sizes.vec())) + " instead of " +
                      formatShape(slot.shape) + ")");
      weights.erase(found);
    } else {
      matched[slot.name] = found->second.to(slot.traits.type).contiguous();
      weights.erase(found);
    }
  }
  std::vector<std::string> unexpected;
  for (const auto& [name, tensor] : weights) unexpected.push_back(name);
  std::string text;
  if (!missing.empty()) text += "; missing: " + firstNames(missing);
  if (!wrong.empty()) text += "; of another shape or type: " + firstNames(wrong);
  if (!unexpected.empty()) text += "; unexpected: " + firstNames(unexpected);
  if (text.empty()) return matched;
  return Error::badInput(
      "{}: these are not the weights of this model{}. Choose the architecture and the number of classes that the file "
      "was written for.",
      place, text);
}

NamedTensors inOrder(const std::vector<TensorSlot>& slots, const TensorMap& weights) {
  NamedTensors ordered;
  for (const TensorSlot& slot : slots) ordered.emplace_back(slot.name, weights.at(slot.name));
  return ordered;
}

at::Tensor laidOut(const TensorSlot& slot, const at::Tensor& values, at::Device device, at::MemoryFormat format,
                   at::ScalarType compute) {
  const auto layout = slot.traits.in_image_format ? format : at::MemoryFormat::Contiguous;
  return at::empty(slot.shape, at::TensorOptions().dtype(slot.traits.typeOn(compute)).device(device), layout)
      .copy_(values);
}

void installWeights(const std::vector<TensorSlot>& slots, const TensorMap& weights, at::Device device,
                    at::MemoryFormat format, at::ScalarType compute) {
  const at::NoGradGuard no_grad;
  for (const TensorSlot& slot : slots) {
    stopPoint();
    *slot.tensor = laidOut(slot, weights.at(slot.name), device, format, compute);
    slot.tensor->set_requires_grad(slot.traits.isTrained());
  }
}

void restoreWeights(const std::vector<TensorSlot>& slots, const TensorMap& weights) {
  const at::NoGradGuard no_grad;
  for (const TensorSlot& slot : slots) {
    stopPoint();
    slot.tensor->copy_(weights.at(slot.name));
    slot.tensor->mutable_grad().reset();
  }
}

}  // namespace lanelab
