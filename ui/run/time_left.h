// SPDX-License-Identifier: GPL-3.0-only
// How long a run will still take, from the units it has done. Pure; the caller passes the clock in.
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
  TimeLeft(int variants, int units_a_variant);

  void unitStarted(int variant, Time now);
  void unitDone(int variant, Time now);
  /// -1 while nothing is done yet.
  double seconds(Time now) const;

 private:
  struct Variant {
    int done = 0;
    double seconds = 0;
  };
  double meanOf(const Variant& variant) const;

  std::vector<Variant> m_variants;
  int m_units_a_variant = 0;
  int m_current = -1;
  Time m_current_start;
};

}  // namespace lanelab
