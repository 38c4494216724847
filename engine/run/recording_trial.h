// SPDX-License-Identifier: GPL-3.0-only
// Steps that are run only to see what recording costs: with and without it, alternately.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/record/recording_cost.h"

namespace lanelab {

/// How many pairs of steps of so many seconds are worth their time: at most a twentieth of what the variant was
/// measured for, or a quarter of a second where that is more; at most 40, in whole blocks of ABBA. 0 where that leaves
/// fewer than 6, unless `always`.
int affordablePairs(double step_seconds, double measured_seconds, bool always);

/// Step i of a trial: the first warms up, then blocks of off, on, on, off, so that a drift hits both alike.
bool recordedInTrial(int step);
int trialSteps(int pairs);
std::vector<StepPair> stepPairs(const std::vector<double>& trial_seconds);

/// The steps of a trial: their time, and what of the processor's time the process took from each step's beginning to
/// the next's.
struct TrialTimes {
  std::vector<double> seconds, cpu_seconds;
};
Result<TrialTimes> runTrial(Session& session, int pairs, TraceBuilder& thrown_away, std::stop_token stop);

/// Runs the trial on a session whose last repeat is over and saved. What goes wrong is the reason why it was not
/// measured; nothing where `stop` came in between.
std::optional<RecordingCost> measureRecording(Session& session, const Experiment& experiment, int pairs,
                                              std::stop_token stop);

}  // namespace lanelab
