// SPDX-License-Identifier: GPL-3.0-only
// Times of operators that nest in others, at the price of reading a register.
//
// A call of the system's clock costs tens of nanoseconds, more when its page has left the cache, and operators last
// microseconds. So the outermost operator takes the clock, and those within it count on from there by the processor's
// time stamp counter, whose rate is known from the clock's times since the first one. Where the processor has none that
// runs evenly (Intel's and AMD's "invariant TSC"), all take the clock.
#pragma once

#include <cstdint>

#include "profiler/trace/trace.h"

namespace lanelab {

/// What a counter's numbers mean in time, learnt from pairs of the two. Pure.
class CounterTime {
 public:
  /// Both as they are now.
  void learn(Nanoseconds time, std::uint64_t count);
  bool known() const { return m_rate != 0; }
  /// Counted on from the last pair; where known.
  Nanoseconds at(std::uint64_t count) const {
    return m_last.time + static_cast<Nanoseconds>(static_cast<double>(count - m_last.count) * m_rate);
  }

 private:
  struct Pair {
    Nanoseconds time = 0;
    std::uint64_t count = 0;
  };
  Pair m_first, m_last;
  double m_rate = 0;  ///< nanoseconds a count; 0: not known yet
};

/// One thread's.
class OperatorClock {
 public:
  OperatorClock();

  /// The clock's time; now() counts on from here.
  Nanoseconds anchor();
  /// Off from the clock by some nanoseconds a millisecond after the anchor.
  Nanoseconds now() const;

 private:
  const bool m_counts;
  CounterTime m_counter;
};

}  // namespace lanelab
