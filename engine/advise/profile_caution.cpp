// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/profile_caution.h"

#include <algorithm>

#include "base/text.h"
#include "profiler/trace/core_time.h"

namespace lanelab {

Message busyProfileText(const std::vector<const BlockProfile*>& profiles) {
  double least = 1;
  for (const BlockProfile* profile : profiles)
    for (const BlockProfile::Size& size : profile->sizes)
      if (size.core_share > 0) least = std::min(least, size.core_share);
  if (least >= kLeastOnCore) return {};
  return sentence(
      "Block times are of a busy machine: while they were measured, a lane had a core for only {} of its compute time. "
      "Predictions from them may be far off; measure again on an idle machine.",
      formatPercent(least));
}

}  // namespace lanelab
