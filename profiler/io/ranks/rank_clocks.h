// SPDX-License-Identifier: GPL-3.0-only
// How far the clocks of a job's ranks are apart, by the communication that they share.
//
// A collective ends on all of its ranks at once, so the n-th of a process group and of a step gives the same moment on
// each clock. The offset of a rank is the median over what it shares with the ranks that are aligned already, the
// residual the median distance from it. HolisticTraceAnalysis and Chopper align in the same way.
//
// Ranks without common collectives are aligned by what they send each other: a receive ends no earlier than its send
// began, so pairs in both directions bound the offset from both sides. The offset is the middle of what is possible and
// the residual half of its width, as NTP (RFC 5905) has it. The n-th send of a pair of ranks is of the n-th receive.
// Collectives that contradict these bounds do not count.
//
// Times are int64 nanoseconds. Pure; any thread; n log n in the communication of all ranks.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

struct RankClock {
  JoinedRank::Clock clock = JoinedRank::Clock::Unknown;
  Nanoseconds offset = 0;  ///< added to the rank's times
  Nanoseconds residual = 0;
  std::int64_t shared = 0;
};

/// One for each trace, in their order; the first one's is the reference. Offsets no larger than their residual count as
/// none, since ranks of one machine have one clock.
std::vector<RankClock> clocksOf(const std::vector<std::shared_ptr<const ImportedTrace>>& traces);

}  // namespace lanelab
