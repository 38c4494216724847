// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/block_profile.h"

#include <algorithm>
#include <utility>

#include "base/quantile.h"

namespace lanelab {
Timing timingOf(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  return {quantileOfSorted(seconds, 0.5), quantileOfSorted(seconds, 0.25), quantileOfSorted(seconds, 0.75),
          static_cast<int>(seconds.size())};
}

const BlockProfile::Size* BlockProfile::find(int samples) const {
  const auto found = std::ranges::find(sizes, samples, &Size::samples);
  return found == sizes.end() ? nullptr : &*found;
}

BlockProfile merged(BlockProfile older, BlockProfile newer) {
  for (BlockProfile::Size& size : older.sizes) {
    if (!newer.find(size.samples)) newer.sizes.push_back(std::move(size));
  }
  std::ranges::sort(newer.sizes, {}, &BlockProfile::Size::samples);
  return newer;
}

}  // namespace lanelab
