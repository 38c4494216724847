// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/recording_trial.h"

#include <algorithm>
#include <utility>

#include "engine/lanes/lane_infos.h"
#include "engine/record/machine_load.h"

namespace lanelab {
namespace {

constexpr double kShare = 0.05;        // of the measured time
constexpr double kAlwaysWorth = 0.25;  // seconds
constexpr int kPairsABlock = 2;
constexpr int kFewest = 6;
constexpr int kMostPairs = 40;

}  // namespace

int affordablePairs(double step_seconds, double measured_seconds, bool always) {
  if (!(step_seconds > 0)) return 0;
  const double steps = std::max(kShare * measured_seconds, kAlwaysWorth) / step_seconds;
  const int blocks = steps >= trialSteps(kMostPairs) ? kMostPairs / kPairsABlock
                                                     : std::max(0, static_cast<int>(steps) - 1) / (2 * kPairsABlock);
  const int pairs = blocks * kPairsABlock;
  if (pairs >= kFewest) return pairs;
  return always ? kFewest : 0;
}

bool recordedInTrial(int step) { return step == 0 || step % 4 == 2 || step % 4 == 3; }

int trialSteps(int pairs) { return 1 + 2 * pairs; }

std::vector<StepPair> stepPairs(const std::vector<double>& trial_seconds) {
  std::vector<StepPair> pairs;
  for (std::size_t i = 1; i + 1 < trial_seconds.size(); i += 2) {
    const double first = trial_seconds[i], second = trial_seconds[i + 1];
    pairs.push_back(recordedInTrial(static_cast<int>(i)) ? StepPair{second, first} : StepPair{first, second});
  }
  return pairs;
}

Result<TrialTimes> runTrial(Session& session, int pairs, TraceBuilder& thrown_away, std::stop_token stop) {
  std::vector<double> cpu;
  const auto recorded = [&cpu](int step) {
    cpu.push_back(processorSeconds());
    return recordedInTrial(step);
  };
  Result<std::vector<double>> seconds = session.repeatStep(trialSteps(pairs), thrown_away, recorded, std::move(stop));
  if (!seconds.ok()) return seconds.error();
  cpu.push_back(processorSeconds());
  TrialTimes times{std::move(*seconds), {}};
  for (std::size_t step = 1; step < cpu.size(); ++step) times.cpu_seconds.push_back(cpu[step] - cpu[step - 1]);
  return times;
}

std::optional<RecordingCost> measureRecording(Session& session, const Experiment& experiment, int pairs,
                                              std::stop_token stop) {
  RecordingCost cost;
  cost.mode = toWord(experiment.record);
  if (pairs == 0) {
    cost.not_measured = "the run is too short";
    return cost;
  }
  TraceBuilder thrown_away("", laneInfos(experiment.lanes));
  const Result<TrialTimes> times = runTrial(session, pairs, thrown_away, stop);
  if (stop.stop_requested()) return std::nullopt;
  if (times.ok()) return costOf(cost.mode, stepPairs(times->seconds), stepPairs(times->cpu_seconds));
  cost.not_measured = "its steps failed: " + times.error().message;
  return cost;
}

}  // namespace lanelab
