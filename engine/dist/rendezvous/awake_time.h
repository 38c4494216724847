// SPDX-License-Identifier: GPL-3.0-only
// Time that this process was awake. While all ranks sleep (a closed laptop, SIGSTOP), clocks may continue, but nobody
// failed to answer.
#pragma once

#include <algorithm>
#include <chrono>

namespace lanelab {

/// Looked at again and again; what lies between two looks counts for `longest` at most. Steady time only, so that a
/// clock that is set changes nothing. Used by one thread at a time.
class AwakeTime {
 public:
  using Clock = std::chrono::steady_clock;
  explicit AwakeTime(std::chrono::milliseconds longest, Clock::time_point now = Clock::now())
      : m_longest(longest), m_last(now) {}

  std::chrono::milliseconds passed(Clock::time_point now = Clock::now()) {
    m_passed += std::min<Clock::duration>(now - m_last, m_longest);
    m_last = now;
    return std::chrono::duration_cast<std::chrono::milliseconds>(m_passed);
  }
  void restart(Clock::time_point now = Clock::now()) {
    m_passed = {};
    m_last = now;
  }

 private:
  Clock::duration m_longest, m_passed{};
  Clock::time_point m_last;
};

}  // namespace lanelab
