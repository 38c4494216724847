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

/// Whether elements with these strides follow each other by rows, without gaps; sides of 1 may have any stride.
inline bool isContiguous(const Shape& sizes, const Shape& strides) {
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0; stride *= sizes[i])
    if (sizes[i] != 1 && (i >= strides.size() || strides[i] != stride)) return false;
  return true;
}

inline constexpr std::int64_t kFloatBytes = 4;

}  // namespace lanelab
