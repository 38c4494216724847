// Puts another clock's times onto ours: bracketed pairs of both clocks, between them a straight line.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// CUPTI counts real time, our traces monotonic time; the first is slewed and may be set by hand while a run lasts.
class ClockPairing {
 public:
  using Clock = std::function<Nanoseconds()>;

  /// Reads ours, theirs, ours; of nine readings keeps the one with the closest bracket. A bracket over 2 us says too little and is passed
  /// over unless it is the first.
  void sample(const Clock& theirs, const Clock& ours);

  /// Theirs to ours; before the first and behind the last sample their offsets hold. Without any sample the time as it is.
  Nanoseconds toOurs(Nanoseconds theirs) const;

  std::int64_t rejected() const { return m_rejected; }  ///< samples passed over
  std::int64_t jumps() const { return m_jumps; }        ///< times the other clock was set (its offset moved over 1 ms between samples)

 private:
  struct Sample {
    Nanoseconds theirs = 0;
    Nanoseconds offset = 0;  ///< ours minus theirs
    bool after_jump = false;
  };
  std::vector<Sample> m_samples;  ///< by theirs
  std::int64_t m_rejected = 0;
  std::int64_t m_jumps = 0;
};

}  // namespace lanelab
