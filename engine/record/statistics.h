// SPDX-License-Identifier: GPL-3.0-only
// Honest statistics of repeats (rules and sources: hyperfine, criterion.rs; Welch's t on log times covers 95-98 % from
// 3 repeats on, where the plain bootstrap of means covers 80-92 %). The unit is one repeat, never a step. Pure
// functions.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace lanelab {

/// With fewer values no confidence interval is given.
inline constexpr std::size_t kFewestForInterval = 5;

struct Interval {
  double low = 0;
  double high = 0;
};

struct Summary {
  int n = 0;
  double mean = 0;
  double std = 0;  ///< with n-1; 0 when n is 1
  double median = 0;
  std::optional<Interval> ci95;  ///< of the mean, Student's t; none below 5 repeats
  double iqr = 0;                ///< interquartile range (quartiles by linear interpolation)
  std::vector<int> outliers;     ///< beyond 3 interquartile ranges; counted and shown, never dropped
};
Summary summarise(const std::vector<double>& seconds);

/// The baseline's time over the candidate's: above 1 is faster. Geometric means; Welch's interval on log times.
struct Ratio {
  double ratio = 1;               ///< not a number without repeats on both sides, and with a repeat of 0 s
  std::optional<Interval> ci95;   ///< none when a side has fewer repeats than were asked for
  std::vector<int> repeats = {};  ///< of the candidate and the baseline; of speed-ups those of the other pair, too
  /// What n repeats with this spread would show in four comparisons of five: 0.03 is 3 % faster; 0 without ci95.
  double smallest_difference = 0;
  enum class Word {
    Faster,
    Slower,
    NoClearDifference,
    WithinNoise,
    TooFewRepeats,
    ZeroTime,  ///< a repeat took no time, so its clock was damaged: there is no ratio
    OtherRun,  ///< of two runs, whose repeats were not interleaved: the interval holds within each run only
    Baseline
  } word = Word::TooFewRepeats;

  /// Whether one side is faster beyond chance.
  bool isClear() const { return word == Word::Faster || word == Word::Slower; }
};
/// `fewest`: repeats of each side that an interval needs.
Ratio compareTimes(const std::vector<double>& baseline, const std::vector<double>& candidate,
                   std::size_t fewest = kFewestForInterval);

/// What a ratio needs of times: of their logarithms.
struct LogTimes {
  double mean = 0;
  double squared_error = 0;  ///< of the mean
  int n = 0;                 ///< 0: nothing was measured, or a time is 0
  bool operator==(const LogTimes&) const = default;
};
LogTimes logTimesOf(const std::vector<double>& seconds);
/// As compareTimes() of the times that these are of; no ratio where one has none.
Ratio compareLogTimes(const LogTimes& baseline, const LogTimes& candidate, std::size_t fewest = kFewestForInterval);

/// The same of two runs: ratio and interval as they are, but no word of which is faster.
Ratio betweenRuns(const Ratio& ratio);
/// How many times the speed-up of the candidate over its run's baseline is that of the other one over its own: what
/// differs between the runs as a whole cancels out. Welch's interval over all four.
Ratio compareSpeedUps(const std::vector<double>& baseline, const std::vector<double>& candidate,
                      const std::vector<double>& other_baseline, const std::vector<double>& other);

/// Quantile of Student's t with `df` (any real above 0) degrees of freedom, p in (0,1).
double studentQuantile(double p, double df);

}  // namespace lanelab
