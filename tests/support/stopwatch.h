// SPDX-License-Identifier: GPL-3.0-only
// Wall time since the begin of something.
#pragma once

#include <chrono>

namespace lanelab::test {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - m_begin).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point m_begin = Clock::now();
};

}  // namespace lanelab::test
