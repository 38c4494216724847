// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/min_max_pyramid.h"

#include <algorithm>
#include <limits>

namespace lanelab {
namespace {

constexpr MinMax kNothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void take(MinMax& all, const MinMax& one) {
  all.least = std::min(all.least, one.least);
  all.greatest = std::max(all.greatest, one.greatest);
}

}  // namespace

MinMaxPyramid::MinMaxPyramid(std::span<const double> values) : m_values(values) {
  if (values.size() <= kBranch) return;
  std::vector<MinMax> level((values.size() + kBranch - 1) / kBranch, kNothing);
  for (std::size_t i = 0; i < values.size(); ++i) take(level[i / kBranch], {values[i], values[i]});
  m_levels.push_back(std::move(level));
  while (m_levels.back().size() > kBranch) {
    const std::vector<MinMax>& below = m_levels.back();
    std::vector<MinMax> above((below.size() + kBranch - 1) / kBranch, kNothing);
    for (std::size_t i = 0; i < below.size(); ++i) take(above[i / kBranch], below[i]);
    m_levels.push_back(std::move(above));
  }
}

/// Both ends are walked up to whole groups, level by level, until nothing is left between them.
MinMax MinMaxPyramid::of(std::size_t first, std::size_t last) const {
  MinMax all = kNothing;
  const auto at = [this](std::size_t level, std::size_t i) {
    return level == 0 ? MinMax{m_values[i], m_values[i]} : m_levels[level - 1][i];
  };
  for (std::size_t level = 0; first < last; ++level) {
    const bool top = level == m_levels.size();
    while (first < last && (top || first % kBranch != 0)) take(all, at(level, first++));
    while (first < last && last % kBranch != 0) take(all, at(level, --last));
    first /= kBranch;
    last /= kBranch;
  }
  return all;
}

}  // namespace lanelab
