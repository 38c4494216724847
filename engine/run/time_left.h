// SPDX-License-Identifier: GPL-3.0-only
// How long a run will still take, from the units and steps it has done: for the window and the command line. Pure; the
// caller passes the clock in.
#pragma once

#include <chrono>
#include <vector>

namespace lanelab {

/// What a run consists of: each variant has the same number of units, which are warm-ups and counted repeats.
struct RunUnits {
  int variants = 0;
  int warmups = 0;  ///< of each variant
  int repeats = 0;  ///< counted, of each variant
};

/// Variants differ in speed, and a warm-up is slower than the repeats after it, above all in its first step. So a
/// variant's remaining repeats count as the median of those it has done; before the first one as its warm-up would have
/// taken with the pace of its later steps; before that as the mean of the other variants.
class TimeLeft {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TimeLeft() = default;
  explicit TimeLeft(const RunUnits& units);

  void unitStarted(int variant, bool warmup, int steps, Time now);
  /// A step of the running unit is done, and took so long.
  void stepDone(double seconds, Time now);
  void unitDone(Time now);
  /// Seconds; -1 while too little is known: before the second step, or the only one, is done.
  double seconds(Time now) const;

 private:
  struct Variant {
    std::vector<double> warmups, repeats;  ///< seconds of the units that are done
    double by_steps = -1;                  ///< seconds of a unit at the pace of the last warm-up's later steps
  };
  struct Unit {
    int variant = -1;  ///< -1: none is running
    bool warmup = false;
    int steps = 0;
    Time start, last_step;
    std::vector<double> step_seconds;
  };

  bool running() const { return m_unit.variant >= 0; }
  double pace() const;
  double unitByPace(double spent) const;
  double meanOver(double (TimeLeft::*of_variant)(std::size_t) const) const;
  double knownRepeat(std::size_t variant) const;
  double knownWarmup(std::size_t variant) const;
  double repeatOf(std::size_t variant) const;
  double warmupOf(std::size_t variant) const;
  double leftOfUnit(Time now) const;

  RunUnits m_units;
  std::vector<Variant> m_variants;
  Unit m_unit;
};

}  // namespace lanelab
