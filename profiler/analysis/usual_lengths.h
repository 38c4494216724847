// SPDX-License-Identifier: GPL-3.0-only
// How long each action usually takes, as replays of a step need it: what an action takes beyond it is jitter.
//
// The usual length is that of the actions of the same stage and phase in the same step: their mean without outliers
// (further than 6 median absolute deviations, and than 30 %, from the median), so that one slow micro-batch makes no
// stage slower. A stage differs from the others only if it does so by more than three standard errors of its mean
// (more of them if few actions tell the error), in the step or over the whole trace; else the phase's mean over all
// stages is its usual length. A last micro-batch that is smaller,
// as the division of the batch leaves it, takes less time in all of its actions and is compared with itself.
//
// Pure; any thread.
#pragma once

#include <vector>

#include "profiler/analysis/traced_actions.h"

namespace lanelab {

/// By action, in nanoseconds. Means are no whole numbers; doubles hold them exactly enough for any step (2^53 ns are
/// 104 days).
struct UsualLengths {
  std::vector<double> equal;   ///< if all stages of the step took equally long
  std::vector<double> staged;  ///< of the stage
};

/// Linear in the number of actions. The length that an action in progress will have is not known, so it counts only if
/// nothing else of its kind is known. Actions without a step have the length 0.
UsualLengths usualLengths(const Trace& trace, const TracedActions& traced);

}  // namespace lanelab
