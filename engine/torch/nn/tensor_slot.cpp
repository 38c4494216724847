// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

SlotTraits traitsOf(SlotRole role) {
  switch (role) {
    case SlotRole::ConvWeight: return {.in_compute_type = true, .in_image_format = true, .of_products = true};
    case SlotRole::LinearWeight: return {.in_compute_type = true, .of_products = true};
    case SlotRole::LinearBias: return {.in_compute_type = true};
    case SlotRole::NormWeight:
    case SlotRole::NormBias: return {};
    case SlotRole::NormMean:
    case SlotRole::NormVar: return {.parameter = false};
    case SlotRole::NormCount: return {.parameter = false, .type = at::kLong, .zero_if_missing = true};
  }
  return {};
}

}  // namespace lanelab
