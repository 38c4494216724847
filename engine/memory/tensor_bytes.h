// SPDX-License-Identifier: GPL-3.0-only
// Sizes of tensors, for the forecast of memory.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>

#include "engine/model/model_spec.h"

namespace lanelab {

inline constexpr std::int64_t kFloatBytes = 4;

/// Elements of a tensor.
inline std::int64_t numbersOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

}  // namespace lanelab
