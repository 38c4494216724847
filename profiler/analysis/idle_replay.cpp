// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_replay.h"

#include <algorithm>

namespace lanelab {

IdleReplay::IdleReplay(const TracedActions& traced, std::size_t lanes)
    : m_traced(traced),
      m_ends(traced.actions.size()),
      m_waits(traced.actions.size()),
      m_free(lanes),
      m_carried(lanes) {}

void IdleReplay::play(const Stretch& stretch, const ReplayTimes& times) {
  std::ranges::fill(m_free, 0);
  std::ranges::fill(m_carried, 0);
  m_end = 0;
  const auto items = m_traced.itemsOf(stretch);
  for (const std::uint32_t item : items) m_ends[item] = -1;
  for (const std::uint32_t item : items) playAction(item, times);
}

/// Actions come in order of their measured start, so a producer has been played before.
void IdleReplay::playAction(std::uint32_t item, const ReplayTimes& times) {
  const TracedAction& action = m_traced.actions[item];
  const auto lane = static_cast<std::size_t>(action.lane);
  const double made = action.producer == kNoItem ? -1 : m_ends[action.producer];
  const double there = made < 0 ? 0 : made + times.transfers[item];
  double ready = std::max(m_free[lane], there);
  if (const auto waits = times.replicas.find(item); waits != times.replicas.end())
    for (const std::uint32_t other : waits->second) ready = std::max(ready, m_ends[other]);
  m_carried[lane] += ready - m_free[lane];
  m_waits[item] = m_carried[lane];
  if (!action.range.empty()) m_carried[lane] = 0;
  m_free[lane] = m_ends[item] = ready + times.delays[item] + times.lengths[item];
  m_end = std::max(m_end, m_free[lane]);
}

}  // namespace lanelab
