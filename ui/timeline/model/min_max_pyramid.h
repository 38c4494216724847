// SPDX-License-Identifier: GPL-3.0-only
// The least and the greatest of any run of values, without looking at all of them: so a peak is seen at every zoom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lanelab {

struct MinMax {
  double least = 0;
  double greatest = 0;
  bool operator==(const MinMax&) const = default;
};

/// Levels of groups of 16; a fifteenth of the values' memory in addition. Immutable.
class MinMaxPyramid {
 public:
  MinMaxPyramid() = default;
  /// `values` must be finite and outlive the pyramid.
  explicit MinMaxPyramid(std::span<const double> values);
  /// Of values[first] to before values[last]; first < last <= their number. At most some 30 looks a level.
  MinMax of(std::size_t first, std::size_t last) const;

 private:
  static constexpr std::size_t kBranch = 16;

  std::span<const double> m_values;
  std::vector<std::vector<MinMax>> m_levels;  ///< the finest first
};

}  // namespace lanelab
