// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/launch_log.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lanelab {

void LaunchLog::begin(std::uint32_t thread, Nanoseconds time, const LaunchOwner& owner) {
  const std::lock_guard lock(m_mutex);
  m_entries.push_back({thread, time, owner, true});
}

void LaunchLog::end(std::uint32_t thread, Nanoseconds time) {
  const std::lock_guard lock(m_mutex);
  m_entries.push_back({thread, time, {}, false});
}

std::vector<LaunchLog::Entry> LaunchLog::take() {
  const std::lock_guard lock(m_mutex);
  return std::exchange(m_entries, {});
}

void LaunchOwners::add(const std::vector<LaunchLog::Entry>& entries) {
  constexpr std::size_t kMost = 8192;
  constexpr Nanoseconds kOpen = std::numeric_limits<Nanoseconds>::max();
  for (const LaunchLog::Entry& entry : entries) {
    std::vector<Stretch>& stretches = m_threads[entry.thread];
    if (!stretches.empty() && stretches.back().range.end == kOpen) stretches.back().range.end = entry.time;
    if (!entry.begins) continue;
    if (stretches.size() >= kMost) stretches.erase(stretches.begin(), stretches.begin() + kMost / 2);
    stretches.push_back({{entry.time, kOpen}, entry.owner});
  }
}

const LaunchOwner* LaunchOwners::at(std::uint32_t thread, Nanoseconds time) const {
  const auto found = m_threads.find(thread);
  if (found == m_threads.end()) return nullptr;
  const std::vector<Stretch>& stretches = found->second;
  const auto later = std::upper_bound(stretches.begin(), stretches.end(), time,
                                      [](Nanoseconds at, const Stretch& s) { return at < s.range.start; });
  if (later == stretches.begin()) return nullptr;
  const Stretch& stretch = *(later - 1);
  return time < stretch.range.end ? &stretch.owner : nullptr;
}

int LaunchOwners::laneOf(std::uint32_t thread) const {
  const auto found = m_threads.find(thread);
  return found == m_threads.end() || found->second.empty() ? -1 : found->second.back().owner.lane;
}

}  // namespace lanelab
