// SPDX-License-Identifier: GPL-3.0-only
// Steps replayed in thought: the same actions in the same order, each as soon as its lane is free and its producer has
// ended, without transfers and delays. Once every action takes the mean of its phase over all stages of the step, once
// the mean of its stage and phase.
//
// What still is idle is what the order of the actions costs, in the first replay, and what unequal stages add to it, in
// the second.
#pragma once

#include <vector>

#include "profiler/analysis/traced_actions.h"

namespace lanelab {

/// How long a lane idles at one place, by replay.
struct ReplayedGap {
  Nanoseconds equal = 0;   ///< all stages alike
  Nanoseconds staged = 0;  ///< each stage with its own mean times
};

struct Replay {
  std::vector<ReplayedGap> before_action;  ///< one for each of TracedActions::actions
  std::vector<ReplayedGap> at_end;         ///< by window and lane: window * lanes + lane
};

/// A producer that began after the action that takes its result (imported files) is not waited for, so there is no
/// order that hangs. The gap before an action includes those before the actions without length that go directly before
/// it, since these begin nothing.
Replay replaySteps(const TracedActions& traced, std::size_t lanes);

}  // namespace lanelab
