// SPDX-License-Identifier: GPL-3.0-only
// The split-size sweep: one pipeline at several split sizes, as an experiment that any run can do, and the curve that
// comes out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "engine/experiment/resolution.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// The experiment with a variant a split size instead of its own, "Split 20", made from its first pipeline variant;
/// split sizes in the order given. Errors (BadInput): no pipeline variant, no split sizes, one outside 1 ... batch, one
/// given twice.
Result<Experiment> sweepOf(const Resolution& resolution, const std::vector<int>& split_sizes);

/// Split sizes that suit the batch, ascending: its divisors up to half of it, or those that give nearly equal
/// micro-batches if it has few divisors; at most nine, with the smallest and the largest, and `present` besides (0: not
/// known). For the batch of PyTorch's pipeline tutorial, 120, the nine of the tutorial.
std::vector<int> usualSplitSizes(int batch, int present = 0);

/// A point of the curve. Seconds are those of a step.
struct SweepPoint {
  std::string variant;
  int split_size = 0;
  int micro_batches = 0;
  std::optional<double> predicted;
  std::optional<double> measured;  ///< median of the repeats' median steps, which one slow first step does not move
  Summary steps;                   ///< of the repeats' median steps: n, mean, std, ci95; n 0 where nothing was measured
  LogTimes times = {};             ///< of the same
  std::optional<ForecastRange> range = {};  ///< of the prediction
};

/// What a run says about split sizes: its variants that differ from its first pipeline in nothing but the split size,
/// and what was predicted of others; ascending. Any run will do.
std::vector<SweepPoint> sweepPoints(const RunRecord& record);
/// The same of predictions alone.
std::vector<SweepPoint> sweepPoints(const std::vector<StepPrediction>& predictions);

/// Predicted over measured, less 1; nothing where one is missing.
std::optional<double> errorOf(const SweepPoint& point);

/// How far predictions lie from measurements, without sign, over the points that have both.
struct SweepErrors {
  double median = 0;
  double worst = 0;
  int worst_split_size = 0;
  int points = 0;
};
std::optional<SweepErrors> errorsOf(const std::vector<SweepPoint>& points);

/// The point with the least predicted (measured) step; null where none has one.
const SweepPoint* fastestPredicted(const std::vector<SweepPoint>& points);
const SweepPoint* fastestMeasured(const std::vector<SweepPoint>& points);
/// Repeats of each point from which an interval tells which is faster.
inline constexpr std::size_t kFewestForFastest = 3;
/// The measured points that are not clearly slower than the fastest, ascending: with it alone nothing measured comes
/// near. Points of fewer than three repeats are never clearly slower.
std::vector<const SweepPoint*> fastestOf(const std::vector<SweepPoint>& points);
/// The point to choose: the fastest measured if it is clearly that, without measurements the fastest predicted; else
/// null.
const SweepPoint* advisedPoint(const std::vector<SweepPoint>& points);
/// The split sizes of the `count` least predictions, the best first.
std::vector<int> bestPredicted(const std::vector<SweepPoint>& points, std::size_t count);

/// RFC 4180: split_size,micro_batches,predicted_step_s,measured_step_s,n,mean_s,std_s,ci95_low_s,ci95_high_s,error;
/// what is not known is empty; the error is predicted over measured, less 1.
std::string sweepCsv(const std::vector<SweepPoint>& points);
/// The same for a terminal: fixed width, units in the header.
std::string sweepTable(const std::vector<SweepPoint>& points);
/// What to choose, and what it rests on: "Micro-batch size 20 is the fastest measured: 3.5 s per step (median, n = 5),
/// 1.12x faster than 12, the next (95 % CI 1.08 to 1.16x; 5 repeats each), predicted 3.41 s (-2.6 %)." Without such an
/// interval: "No clear difference between micro-batch sizes 12 and 20: ...".
Message adviceSentence(const std::vector<SweepPoint>& points);
/// "Predictions are off by 2.1 % (median) and 6 % at most (split size 1), over 9 measured split sizes."; empty where
/// nothing has both.
Message errorSentence(const std::vector<SweepPoint>& points);

}  // namespace lanelab
