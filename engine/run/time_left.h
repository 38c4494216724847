// SPDX-License-Identifier: GPL-3.0-only
// How long a run will still take, from the units it has done: for the window and the command line. Pure; the caller
// passes the clock in.
#pragma once

#include <chrono>
#include <vector>

namespace lanelab {

/// A unit is one repeat (warm-up or counted) of one variant. Variants differ in speed, so each one's mean counts for
/// its own remaining units; a variant that has not run yet counts with the mean of all.
class TimeLeft {
 public:
  using Time = std::chrono::steady_clock::time_point;

  TimeLeft() = default;
  TimeLeft(int variants, int units_per_variant);

  void unitStarted(int variant, Time now);
  /// `share` of the running unit's steps is done, 0 to 1.
  void unitAdvanced(double share, Time now);
  void unitDone(int variant, Time now);
  /// -1 while too little is known: no unit and less than a tenth of the first one is done.
  double seconds(Time now) const;

 private:
  struct Variant {
    int done = 0;
    double seconds = 0;
  };
  double meanOf(const Variant& variant) const;
  double meanOfAll() const;

  std::vector<Variant> m_variants;
  int m_units_per_variant = 0;
  int m_current = -1;
  Time m_current_start;
  double m_length_by_steps = -1;  ///< of the running unit in seconds, from its steps
};

}  // namespace lanelab
