// SPDX-License-Identifier: GPL-3.0-only
// Puts the times of another process's clock onto ours: round trips at two moments, between them a straight line.
//
// Of several round trips the shortest tells most, and the offset is off by half of it at most (F. Cristian,
// Probabilistic clock synchronization, 1989). The four stamps of a trip and the mean of its two ways are those of NTP
// (RFC 5905, section 8).
#pragma once

#include <span>

#include "profiler/trace/span.h"

namespace lanelab {

struct RoundTrip {
  Nanoseconds sent = 0;      ///< ours
  Nanoseconds taken = 0;     ///< theirs, when it came there
  Nanoseconds answered = 0;  ///< theirs, when the answer left
  Nanoseconds received = 0;  ///< ours
};

struct ClockReading {
  Nanoseconds theirs = 0;    ///< when it was taken
  Nanoseconds offset = 0;    ///< ours minus theirs
  Nanoseconds residual = 0;  ///< as far as the offset may be off
  bool operator==(const ClockReading&) const = default;
};

/// Of the shortest trip; all 0 where there is none.
ClockReading readingOf(std::span<const RoundTrip> trips);

class ClockAlignment {
 public:
  /// One clock.
  ClockAlignment() = default;
  /// Offsets no larger than what they may be off count as none, since processes of one machine have one clock.
  ClockAlignment(const ClockReading& before, const ClockReading& after);

  /// Keeps the order of times. Before the first and behind the second reading their offsets hold.
  Nanoseconds toOurs(Nanoseconds theirs) const;
  /// Whether times stay as they are.
  bool isOurs() const { return m_before.offset == 0 && m_after.offset == 0; }
  /// At the second reading.
  Nanoseconds offset() const { return m_after.offset; }
  /// As far as a time may be off at either reading.
  Nanoseconds residual() const;

 private:
  ClockReading m_before, m_after;
};

}  // namespace lanelab
