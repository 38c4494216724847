// SPDX-License-Identifier: GPL-3.0-only
// What recording costs: the share of a step that it takes, from pairs of steps with and without it. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/record/statistics.h"

namespace lanelab {

/// Of one variant. Either measured (pairs > 0) or with a reason why not.
struct RecordingCost {
  std::string mode;       ///< the experiment's record: actions, blocks, operators
  double cost_ratio = 0;  ///< median of the pairs' differences (with minus without) over the median step without; below
                          ///< 0 by chance only
  std::optional<Interval> ci95;  ///< none below 5 pairs
  int pairs = 0;
  std::string not_measured;              ///< "the run is too short"; empty where it was
  std::optional<double> cpu_ratio = {};  ///< as cost_ratio, of the processor's time that the whole process took: what
                                         ///< others do on the machine moves it far less
  std::optional<Interval> cpu_ci95 = {};
};

/// Seconds of one step without and one with recording, close together in time.
struct StepPair {
  double off = 0;
  double on = 0;
};

/// The intervals are the percentile bootstrap over pairs: 2000 resamples of a fixed seed. `cpu` has the same pairs'
/// processor time, or nothing.
RecordingCost costOf(std::string mode, const std::vector<StepPair>& pairs, const std::vector<StepPair>& cpu = {});

}  // namespace lanelab
