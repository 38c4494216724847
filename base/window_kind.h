// SPDX-License-Identifier: GPL-3.0-only
// Which window of a step a time, a utilization or a cause of idle time is of. Tables and files name it.
#pragma once

#include "base/words.h"

namespace lanelab {

/// Step: from the step's first start to its last end, one window for all lanes. Period: of one lane, from its first
/// action of a step to its first action of the next, as zero bubble's authors measure (Qi et al. 2023,
/// sail-sg/zero-bubble-pipeline-parallelism); it is the time that a step costs where steps overlap.
enum class WindowKind { Step, Period };

constexpr std::array<Word<WindowKind>, 2> wordTable(WindowKind) {
  return {{{WindowKind::Step, "step"}, {WindowKind::Period, "period"}}};
}

}  // namespace lanelab
