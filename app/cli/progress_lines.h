// SPDX-License-Identifier: GPL-3.0-only
// What long work shows on stderr: on a terminal one line that is rewritten, otherwise a line now and then.
#pragma once

#include <chrono>
#include <iosfwd>
#include <mutex>
#include <optional>

#include "base/progress.h"

namespace lanelab {

/// Phase, percent and time left. Any thread may report; the line on a terminal is cleared when this goes.
class ProgressLines {
 public:
  using Clock = std::chrono::steady_clock;
  /// Work that is mostly short shows nothing for its first 0.3 s.
  enum class Length { Long, MostlyShort };

  explicit ProgressLines(Length length);  ///< on stderr
  ProgressLines(std::ostream& out, bool terminal, Length length, Clock::time_point start);
  ~ProgressLines() { clear(); }
  ProgressLines(const ProgressLines&) = delete;
  ProgressLines& operator=(const ProgressLines&) = delete;

  void show(const Progress& progress, Clock::time_point now);
  /// Calls show(); this must live as long as the work.
  ReportProgress report();

 private:
  bool isDue(const Progress& progress, Clock::time_point now) const;
  void clear();

  std::ostream& m_out;
  const bool m_terminal;
  const Clock::time_point m_quiet_until;
  std::mutex m_mutex;
  Pace m_pace;
  std::optional<Clock::time_point> m_shown;  ///< when the last line was
  bool m_on_line = false;                    ///< a line of the terminal holds it now
};

}  // namespace lanelab
