// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/overlay/curve_points.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace lanelab {
namespace {

/// Of the values from `begin` to `end` the lowest, the highest and one that is not finite, as far as there are such.
void addExtremes(const std::vector<double>& values, std::size_t begin, std::size_t end, std::set<std::size_t>& seen) {
  std::size_t low = end, high = end, gap = end;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) {
      if (gap == end) gap = i;
      continue;
    }
    if (low == end || values[i] < values[low]) low = i;
    if (high == end || values[i] > values[high]) high = i;
  }
  for (const std::size_t place : {low, high, gap})
    if (place != end) seen.insert(place);
}

}  // namespace

std::vector<double> smoothed(const std::vector<double>& values, double weight) {
  std::vector<double> result;
  result.reserve(values.size());
  double sum = 0, weights = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) {
      result.push_back(value);
      continue;
    }
    sum = weight * sum + (1 - weight) * value;
    weights = weight * weights + (1 - weight);
    result.push_back(sum / weights);
  }
  return result;
}

std::vector<std::size_t> seenPoints(const std::vector<double>& values, std::size_t most) {
  if (values.size() <= most || most < 4) {
    std::vector<std::size_t> all(values.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  std::set<std::size_t> seen = {0, values.size() - 1};
  const std::size_t parts = most / 2;
  for (std::size_t part = 0; part < parts; ++part)
    addExtremes(values, part * values.size() / parts, (part + 1) * values.size() / parts, seen);
  return {seen.begin(), seen.end()};
}

}  // namespace lanelab
