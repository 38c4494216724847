// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/initial_weights.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/files/clipped_name.h"

namespace lanelab {

namespace {

bool fits(const at::Tensor& tensor, const TensorSlot& slot) {
  return tensor.sizes() == at::IntArrayRef(slot.shape) &&
         tensor.is_floating_point() == c10::isFloatingType(slot.traits.type);
}

}  // namespace

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
      matched[slot.name] = std::move(found->second);
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
