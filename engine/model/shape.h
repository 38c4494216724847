// SPDX-License-Identifier: GPL-3.0-only
// Shapes of tensors, and what their numbers take in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

namespace lanelab {

using Shape = std::vector<std::int64_t>;

/// Elements of a tensor.
inline std::int64_t numbersOf(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

inline constexpr std::int64_t kFloatBytes = 4;

}  // namespace lanelab
