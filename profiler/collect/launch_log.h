// SPDX-License-Identifier: GPL-3.0-only
// When each host thread launched work, and for whom: the lanes' threads write it, the collector's thread reads it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/collect/launch_owner.h"

namespace lanelab {

/// Any thread; a short lock a call, so for actions, not for operators.
class LaunchLog {
 public:
  struct Entry {
    std::uint32_t thread = 0;  ///< gettid
    Nanoseconds time = 0;
    LaunchOwner owner;
    bool begins = true;
  };

  void begin(std::uint32_t thread, Nanoseconds time, const LaunchOwner& owner) {
    const std::lock_guard lock(m_mutex);
    m_entries.push_back({thread, time, owner, true});
  }
  void end(std::uint32_t thread, Nanoseconds time) {
    const std::lock_guard lock(m_mutex);
    m_entries.push_back({thread, time, {}, false});
  }
  /// What came since the last call, each thread's entries in order.
  std::vector<Entry> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_entries, {});
  }

 private:
  std::mutex m_mutex;
  std::vector<Entry> m_entries;
};

/// Answers which owner a thread launched for at a time. One thread.
class LaunchOwners {
 public:
  /// A begin ends what the thread had open. Of each thread the newest few thousand stretches are kept.
  void add(const std::vector<LaunchLog::Entry>& entries) {
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

  /// Null when the thread launched for nobody then.
  const LaunchOwner* at(std::uint32_t thread, Nanoseconds time) const {
    const auto found = m_threads.find(thread);
    if (found == m_threads.end()) return nullptr;
    const std::vector<Stretch>& stretches = found->second;
    const auto later = std::upper_bound(stretches.begin(), stretches.end(), time,
                                        [](Nanoseconds at, const Stretch& s) { return at < s.range.start; });
    if (later == stretches.begin()) return nullptr;
    const Stretch& stretch = *(later - 1);
    return time < stretch.range.end ? &stretch.owner : nullptr;
  }

  /// That it launched for last; -1 when for none.
  int laneOf(std::uint32_t thread) const {
    const auto found = m_threads.find(thread);
    return found == m_threads.end() || found->second.empty() ? -1 : found->second.back().owner.lane;
  }

 private:
  struct Stretch {
    TimeRange range;
    LaunchOwner owner;
  };
  std::unordered_map<std::uint32_t, std::vector<Stretch>> m_threads;
};

}  // namespace lanelab
