// SPDX-License-Identifier: GPL-3.0-only
// The tensors that a network starts from, and how they get into its slots.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

/// Tensors on the host by their names in state_dict(), contiguous.
using TensorMap = std::map<std::string, at::Tensor>;
/// In an order of their own.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

/// Checks that `weights` holds exactly the network's tensors, with their shapes and types; floating-point numbers may
/// be wider or narrower. `place` names the file. Errors (BadInput) name the missing, unexpected and wrongly shaped
/// tensors; a missing num_batches_tracked is filled with 0, as PyTorch does.
Result<TensorMap> matchWeights(const std::vector<TensorSlot>& slots, TensorMap weights, const std::string& place);

/// A copy of values as a slot holds it: see installWeights.
at::Tensor laidOut(const TensorSlot& slot, const at::Tensor& values, at::Device device, at::MemoryFormat format,
                   at::ScalarType compute = at::kFloat);
/// Puts copies of the tensors into the slots, on `device`, for computing in `compute` with images in `format` (see
/// SlotTraits); parameters ask for gradients.
void installWeights(const std::vector<TensorSlot>& slots, const TensorMap& weights, at::Device device,
                    at::MemoryFormat format, at::ScalarType compute = at::kFloat);
/// Copies the values again into tensors that are there, and drops gradients.
void restoreWeights(const std::vector<TensorSlot>& slots, const TensorMap& weights);

}  // namespace lanelab
