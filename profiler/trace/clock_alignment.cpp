// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/clock_alignment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lanelab {

namespace {

/// Of both ways, without the time that it lay at the other end.
Nanoseconds lengthOf(const RoundTrip& trip) { return (trip.received - trip.sent) - (trip.answered - trip.taken); }

bool saysNothing(const ClockReading& reading) { return std::abs(reading.offset) <= reading.residual; }

}  // namespace

ClockReading readingOf(std::span<const RoundTrip> trips) {
  const auto best = std::ranges::min_element(trips, {}, lengthOf);
  if (best == trips.end()) return {};
  const Nanoseconds there = best->sent - best->taken, back = best->received - best->answered;
  return {best->answered, there + (back - there) / 2, (lengthOf(*best) + 1) / 2};
}

ClockAlignment::ClockAlignment(const ClockReading& before, const ClockReading& after)
    : m_before(before), m_after(after) {
  if (saysNothing(before) && saysNothing(after)) m_before.offset = m_after.offset = 0;
}

Nanoseconds ClockAlignment::toOurs(Nanoseconds theirs) const {
  if (m_before.offset == m_after.offset || theirs >= m_after.theirs) return theirs + m_after.offset;
  if (theirs <= m_before.theirs) return theirs + m_before.offset;
  const double part =
      static_cast<double>(theirs - m_before.theirs) / static_cast<double>(m_after.theirs - m_before.theirs);
  return theirs + m_before.offset + std::llround(part * static_cast<double>(m_after.offset - m_before.offset));
}

Nanoseconds ClockAlignment::residual() const { return std::max(m_before.residual, m_after.residual); }

}  // namespace lanelab
