// SPDX-License-Identifier: GPL-3.0-only
// A parameter or buffer of a network: its name, how it is held, and the place where the tensor is.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lanelab {

/// How a tensor is held.
struct SlotTraits {
  bool parameter = true;             ///< else it is a buffer
  bool trained = true;               ///< of a parameter: the optimizer moves it; else it is frozen
  at::ScalarType type = at::kFloat;  ///< on the host and in files
  bool in_compute_type = false;      ///< a lane holds it in the type in which it computes, such as bf16
  bool in_image_format = false;      ///< a lane holds it in the memory format of images; of 4 dimensions
  bool zero_if_missing = false;      ///< files may lack it
  bool of_products = false;          ///< only linear layers and convolutions read it: inference may hold it in 8 bits
  bool of_rows = false;              ///< the stage only looks up rows of it
  bool written = false;              ///< a call of the stage writes to it

  bool isTrained() const { return parameter && trained; }
  /// On a lane that computes in `compute`.
  at::ScalarType typeOn(at::ScalarType compute) const { return in_compute_type ? compute : type; }
};

struct TensorSlot {
  std::string name;  ///< in state_dict()
  SlotTraits traits = {};
  std::vector<std::int64_t> shape = {};
  at::Tensor* tensor = nullptr;
  at::Tensor* scale = nullptr;  ///< of each output, where `tensor` may be int8; else null
};

}  // namespace lanelab
