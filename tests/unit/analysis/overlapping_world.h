// SPDX-License-Identifier: GPL-3.0-only
// Three steps of two lanes by hand: lane 0 begins its next step while lane 1 still computes the weights' gradients.
#pragma once

#include <array>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {

struct OverlappingWorld : PipelineWorld {
  /// With a meeting the last step begins only after both lanes have ended the one before, 10 later.
  /// `began_together`: what each step's span stores of when lanes last did. The first step begins at `first`.
  explicit OverlappingWorld(bool meeting = false, const std::array<Nanoseconds, 3>& began_together = {},
                            Nanoseconds first = 0)
      : PipelineWorld(2) {
    const Nanoseconds at[] = {first, first + 55, first + (meeting ? 130 : 110)};
    for (int step = 0; step < 3; ++step) addStep(step, at[step], began_together[static_cast<std::size_t>(step)]);
  }

  /// Lane 0 computes for 55 of which it idles 20, lane 1 without a gap.
  void addStep(int step, Nanoseconds at, Nanoseconds began_together) {
    action(0, "0F0", at, at + 10, step);
    action(0, "0I0", at + 30, at + 40, step);
    action(0, "0W0", at + 40, at + 50, step);
    action(0, "0U", at + 50, at + 55, step);
    action(1, "1F0", at + 10, at + 20, step);
    action(1, "1I0", at + 20, at + 30, step);
    action(1, "1W0", at + 30, at + 60, step);
    action(1, "1U", at + 60, at + 65, step);
    window(at, at + 65, step)->mark = began_together;
  }
};

}  // namespace lanelab
