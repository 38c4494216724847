// SPDX-License-Identifier: GPL-3.0-only
#include "base/quantile.h"

#include <algorithm>
#include <cstddef>

namespace lanelab {

double quantileOfSorted(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return quantileOfSorted(values, 0.5);
}

}  // namespace lanelab
