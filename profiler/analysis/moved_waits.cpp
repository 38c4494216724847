// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/moved_waits.h"

#include <algorithm>

namespace lanelab {

namespace {

constexpr std::array<Cause, kCauseCount> kShrinkOrder = {
    Cause::Imbalance, Cause::Drain,      Cause::Fill,          Cause::Jitter,   Cause::Unresolved,
    Cause::Profiler,  Cause::Evaluation, Cause::Contention,    Cause::Host,     Cause::Allocator,
    Cause::Sync,      Cause::Data,       Cause::Communication, Cause::Transfer, Cause::TransferQueued};

}  // namespace

CauseTimes CausedGap::causes() const {
  CauseTimes all = upstream;
  all += delays;
  all += moved;
  return all;
}

void MovedWaits::move(std::size_t place, Nanoseconds waits, Nanoseconds shown, Nanoseconds delay) {
  CausedGap& gap = m_gaps[place];
  const Nanoseconds others = waits - shown;
  if (others > gap.waits) grow(place, others - gap.waits);
  if (others < gap.waits) shrink(gap, gap.waits - others);
  gap.waits = waits;
  gap.upstream[m_cause] += shown;
  gap.delays[m_cause] += delay;
  if (shown > 0 && shown <= m_retained) m_shown.push_back({place, shown});
  if (delay > 0 && delay <= m_retained) m_delays.push_back({place, delay});
}

void MovedWaits::grow(std::size_t place, Nanoseconds time) {
  CauseTimes& causes = m_gaps[place].upstream;
  for (std::size_t i = 0; i < kCauseCount && m_moves == Moves::EarlierAndLater; ++i) {
    const Nanoseconds moved = std::min(time, m_missing.times[i]);
    m_missing.times[i] -= moved;
    causes.times[i] += moved;
    time -= moved;
  }
  if (time == 0) return;
  causes[m_cause] += time;
  m_upstream.push_back({place, time});
}

/// What the order and the stages cost goes first, since what the lane was seen to wait for is certain; else the cause
/// that came last.
void MovedWaits::shrink(CausedGap& gap, Nanoseconds time) {
  for (const Cause cause : kShrinkOrder) {
    const Nanoseconds moved = std::min(time, gap.upstream[cause]);
    gap.upstream[cause] -= moved;
    time -= moved;
    if (m_moves != Moves::Nothing) moveBack(cause, moved);
  }
}

void MovedWaits::moveBack(Cause cause, Nanoseconds time) {
  const auto takeNewest = [&](Stack& added, const auto& take) {
    while (time > 0 && !added.empty()) {
      const Nanoseconds moved = std::min(time, added.back().time);
      take(m_gaps[added.back().place], moved);
      time -= moved;
      added.back().time -= moved;
      if (added.back().time == 0) added.pop_back();
    }
  };
  const auto takeWait = [&](CausedGap& gap, Nanoseconds moved) {
    gap.upstream[m_cause] -= moved;
    gap.upstream[cause] += moved;
  };
  takeNewest(m_upstream, takeWait);
  takeNewest(m_shown, [&](CausedGap& gap, Nanoseconds moved) {
    takeWait(gap, moved);
    gap.taken[m_cause] += moved;
  });
  takeNewest(m_delays, [&](CausedGap& gap, Nanoseconds moved) {
    gap.delays[m_cause] -= moved;
    gap.moved[cause] += moved;
    gap.taken[m_cause] += moved;
  });
  m_missing[cause] += time;
}

}  // namespace lanelab
