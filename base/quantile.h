// SPDX-License-Identifier: GPL-3.0-only
// Medians and other quantiles, by linear interpolation between the values (type 7 of Hyndman and Fan, the default of R
// and NumPy). Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace lanelab {

/// `sorted` holds one value or more; `share` from 0 to 1.
inline double quantileOfSorted(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// 0 for none.
inline double medianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return quantileOfSorted(values, 0.5);
}

}  // namespace lanelab
