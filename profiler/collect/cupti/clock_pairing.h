// SPDX-License-Identifier: GPL-3.0-only
// Puts another clock's times onto ours: bracketed pairs of both clocks, between them a straight line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// CUPTI counts real time, our traces monotonic time; the first is slewed and may be set by hand while a run lasts. One
/// thread.
class ClockPairing {
 public:
  using Clock = std::function<Nanoseconds()>;

  /// Reads ours, theirs, ours; of nine readings keeps the one with the closest bracket. A bracket over 2 us says too
  /// little and is passed over unless it is the first, and that one goes when a closer one comes.
  void sample(const Clock& theirs, const Clock& ours);

  /// Theirs to ours; before the first and behind the last sample their offsets hold. Without any sample the time as it
  /// is.
  Nanoseconds toOurs(Nanoseconds theirs) const;

  std::int64_t rejected() const { return m_rejected; }  ///< samples passed over
  /// Times the other clock was set: its offset moved over 1 ms between samples.
  std::int64_t jumps() const { return m_jumps; }
  /// As far as a converted time may be off: half of the widest bracket, or if that is more, what a sample lies beside
  /// the line between its neighbours.
  Nanoseconds residual() const;

 private:
  struct Sample {
    Nanoseconds theirs = 0;
    Nanoseconds offset = 0;  ///< ours minus theirs
    Nanoseconds bracket = 0;
    bool after_jump = false;
  };
  void keep(Sample sample);

  std::vector<Sample> m_samples;    ///< by theirs
  mutable std::size_t m_after = 0;  ///< the sample behind the time that was converted last: most times lie near it
  std::int64_t m_rejected = 0;
  std::int64_t m_jumps = 0;
};

}  // namespace lanelab
