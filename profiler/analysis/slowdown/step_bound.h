// SPDX-License-Identifier: GPL-3.0-only
// What the steps of a job show beyond their noise. Pure; any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lanelab {

/// The lower end of a one-sided 95 % confidence interval of the median, free of assumptions about the noise: the value
/// of that rank (Conover, Practical Nonparametric Statistics, 1999, 3.2). The least value of fewer than eight, which
/// are too few for more; 0 of none.
inline double boundOfMedian(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto count = static_cast<double>(values.size());
  const double rank = std::floor((count + 1) / 2 - 1.6449 / 2 * std::sqrt(count));
  const auto place = static_cast<std::size_t>(std::max(1.0, rank)) - 1;
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(place));
  return values[place];
}

/// The smaller one of the two in the middle; 0 of none.
inline double lowerMedian(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<std::size_t>(place)];
}

}  // namespace lanelab
