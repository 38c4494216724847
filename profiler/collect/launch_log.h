// SPDX-License-Identifier: GPL-3.0-only
// When each host thread launched work, and for whom: the lanes' threads write it, the collector's thread reads it.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
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

  void begin(std::uint32_t thread, Nanoseconds time, const LaunchOwner& owner);
  void end(std::uint32_t thread, Nanoseconds time);
  std::vector<Entry> take();  ///< what came since the last call, each thread's entries in order

 private:
  std::mutex m_mutex;
  std::vector<Entry> m_entries;
};

/// Answers which owner a thread launched for at a time. One thread.
class LaunchOwners {
 public:
  /// A begin ends what the thread had open. Of each thread the newest few thousand stretches are kept.
  void add(const std::vector<LaunchLog::Entry>& entries);
  /// Null when the thread launched for nobody then.
  const LaunchOwner* at(std::uint32_t thread, Nanoseconds time) const;
  int laneOf(std::uint32_t thread) const;  ///< that it launched for last; -1 when for none

 private:
  struct Stretch {
    TimeRange range;
    LaunchOwner owner;
  };
  std::unordered_map<std::uint32_t, std::vector<Stretch>> m_threads;
};

}  // namespace lanelab
