// SPDX-License-Identifier: GPL-3.0-only
// How sure a prediction is: a range that should hold what nine runs in ten measure.
//
// What moves a step away from its prediction, as standard deviations of log times, added in squares:
// - block times: the step is predicted again with all of them at their lower and upper quartile, which hold the middle
//   half; a step averages over its micro-batches, so this part shrinks by the root of their number;
// - other work: it slowed the lanes down while all of them computed, and may be gone or twice as much in the run;
// - the rest, which predictions leave out on an idle machine.
// tests/bench/prediction_coverage.py measures how many runs the ranges hold. Pure functions; seconds.
#pragma once

#include <optional>
#include <string>

#include "base/message.h"
#include "engine/placement/block_profile.h"

namespace lanelab {

struct ForecastRange {
  double low = 0;
  double high = 0;
  bool operator==(const ForecastRange&) const = default;
};

/// A predicted length.
struct PredictedTime {
  double seconds = 0;
  std::optional<ForecastRange> range = {};  ///< none where nobody knows how sure it is: estimates, costs from a file
};

/// Which of its measured times each block takes.
enum class Quartile { Lower, Upper };
/// The profile with this quartile in place of each median; of one that was measured once, as it is.
BlockProfile atQuartile(BlockProfile profile, Quartile quartile);

/// A step predicted with the medians and with both quartiles of its block times.
struct StepQuartiles {
  double median = 0;
  double lower = 0;
  double upper = 0;
  int micro_batches = 1;
  double slowdown = 1;  ///< of a lane while all lanes computed, when the blocks were measured
};
ForecastRange rangeOfStep(const StepQuartiles& step);
/// Of how many times faster a changed step is than the present one, both of them predicted from the same times: what
/// moves both cancels. `error`: standard error of a measured log time of the present one; 0: not known.
ForecastRange rangeOfRatio(double ratio, double error);
/// Of the changed step's length, where the present one takes `before`: that of their ratio. As it is where both take
/// the same. Seconds, above 0.
ForecastRange rangeOfChange(double before, double after, double error);
/// Whether all of the range is on one side of 1, so that a gain or a loss is one.
bool isClearChange(const ForecastRange& ratio);
/// The slowdown of a profile at the measured size nearest to `samples`.
double slowdownOf(const BlockProfile& profile, int samples);

/// Whether two predicted steps differ by less than predictions of one machine's variants do among each other.
bool areEqualPredictions(double seconds, double other);

/// "2.51 to 3.42 s", in the unit that the prediction itself has; three significant digits.
Message rangeText(const ForecastRange& range);

}  // namespace lanelab
