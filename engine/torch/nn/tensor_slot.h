// SPDX-License-Identifier: GPL-3.0-only
// A parameter or buffer of a network: its name, how it is held, and the place where the tensor is.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanelab {

/// What a tensor of a hand-written network is, which decides its initial value. Networks whose initial values come from
/// elsewhere have none.
enum class SlotRole { ConvWeight, NormWeight, NormBias, NormMean, NormVar, NormCount, LinearWeight, LinearBias };

/// How a tensor is held.
struct SlotTraits {
  bool parameter = true;             ///< else it is a buffer
  bool trained = true;               ///< of a parameter: the optimizer moves it; else it is frozen
  at::ScalarType type = at::kFloat;  ///< on the host and in files
  bool in_compute_type = false;      ///< a lane holds it in the type in which it computes, such as bf16
  bool in_image_format = false;      ///< a lane holds it in the memory format of images; of 4 dimensions
  bool zero_if_missing = false;      ///< files may lack it
  bool of_products = false;          ///< only linear layers and convolutions read it: inference may hold it in 8 bits

  bool isTrained() const { return parameter && trained; }
  /// On a lane that computes in `compute`.
  at::ScalarType typeOn(at::ScalarType compute) const { return in_compute_type ? compute : type; }
};

/// Convolutions and linear layers are held in the compute type, batch norms stay fp32; num_batches_tracked is int64.
SlotTraits traitsOf(SlotRole role);

struct TensorSlot {
  TensorSlot(std::string slot_name, const SlotTraits& held, std::vector<std::int64_t> slot_shape, at::Tensor* place)
      : name(std::move(slot_name)), traits(held), shape(std::move(slot_shape)), tensor(place) {}
  TensorSlot(std::string slot_name, SlotRole slot_role, std::vector<std::int64_t> slot_shape, at::Tensor* place)
      : TensorSlot(std::move(slot_name), traitsOf(slot_role), std::move(slot_shape), place) {
    role = slot_role;
  }

  std::string name;  ///< in state_dict()
  SlotTraits traits;
  std::vector<std::int64_t> shape;
  at::Tensor* tensor;
  std::optional<SlotRole> role = {};
};

}  // namespace lanelab
