// SPDX-License-Identifier: GPL-3.0-only
// How far long work is. Who works reports units that are done; who shows it estimates the time left. Values, no thread
// of their own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "base/message.h"

namespace lanelab {

struct Progress {
  std::string phase;       ///< what is being done, such as "Measuring blocks"; begins with a capital, no full stop
  std::int64_t done = 0;   ///< units, from 0 to total; never falls
  std::int64_t total = 0;  ///< does not change while the work lasts; 0: not known

  double share() const;  ///< 0 to 1
  bool operator==(const Progress&) const = default;
};

/// Called by the work, one call at a time, on whichever thread works; to return quickly. May be empty.
using ReportProgress = std::function<void(const Progress&)>;

/// What long work is given by its caller.
struct WorkControl {
  ReportProgress report = {};
  std::stop_token stop = {};
};

/// Counts the units of one piece of work and reports each change. One thread at a time.
class ProgressCount {
 public:
  ProgressCount(std::int64_t total, ReportProgress report) : m_progress{{}, 0, total}, m_report(std::move(report)) {}

  /// What is done from here on.
  void begin(std::string phase);
  /// Never beyond the total.
  void add(std::int64_t units);
  void finish() { add(m_progress.total - m_progress.done); }

 private:
  void report() const {
    if (m_report) m_report(m_progress);
  }

  Progress m_progress;
  ReportProgress m_report;
};

/// Reports the work of part `part` (from 0) of `parts` as its share of `whole`, parts counting alike. Empty if `whole`
/// is.
ReportProgress partOf(ReportProgress whole, int part, int parts);

/// The time left of one piece of work, from the pace so far. Work that begins again, or another one, starts over.
class Pace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Seconds; -1 while too little is known. `progress` is the newest one, be it known before.
  double secondsLeft(const Progress& progress, Time now);

 private:
  Time m_start;
  Time m_advanced;           ///< when `done` grew last
  std::int64_t m_first = 0;  ///< units done at the start
  std::int64_t m_done = -1;
  std::int64_t m_total = -1;
};

/// "a few seconds", "about 20 s", "about 3 min"; "" for a negative number.
Message roughTime(double seconds);
/// "a few seconds left", "about 20 s left", "about 3 min left"; "" for a negative number.
std::string timeLeftText(double seconds);

/// "Measuring blocks: 42 %, about 20 s left"; only the phase while the total is not known.
std::string progressText(const Progress& progress, double seconds_left);

}  // namespace lanelab
