// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/progress_lines.h"

#include <iostream>

#include "app/cli/cli.h"
#include "base/terminal_text.h"
#include "base/utf8.h"

namespace lanelab {
namespace {

constexpr std::chrono::milliseconds kBetweenRewrites{100}, kBetweenLines{5000}, kShortWork{300};
constexpr std::size_t kMostOfPhase = 54;  ///< a longer line would wrap, and only its end could be rewritten

}  // namespace

ProgressLines::ProgressLines(Length length) : ProgressLines(std::cerr, stderrIsTerminal(), length, Clock::now()) {}

ProgressLines::ProgressLines(std::ostream& out, bool terminal, Length length, Clock::time_point start)
    : m_out(out), m_terminal(terminal), m_quiet_until(length == Length::MostlyShort ? start + kShortWork : start) {}

ReportProgress ProgressLines::report() {
  return [this](const Progress& progress) { show(progress, Clock::now()); };
}

bool ProgressLines::isDue(const Progress& progress, Clock::time_point now) const {
  if (now < m_quiet_until) return false;
  const bool ended = progress.total > 0 && progress.done == progress.total;
  return !m_shown ? !ended : now - *m_shown >= (m_terminal ? kBetweenRewrites : kBetweenLines);
}

void ProgressLines::show(const Progress& progress, Clock::time_point now) {
  const std::lock_guard lock(m_mutex);
  const double left = m_pace.secondsLeft(progress, now);
  if (!isDue(progress, now)) return;
  if (m_terminal) {
    clear();
    const Progress cut{cutAfter(progress.phase, kMostOfPhase), progress.done, progress.total};
    m_out << progressText(cut, left) << std::flush;
    m_on_line = true;
  } else {
    m_out << progressText(progress, left) << "\n";
  }
  m_shown = now;
}

void ProgressLines::clear() {
  if (m_on_line) clearTerminalLine(m_out);
  m_out.flush();
  m_on_line = false;
}

}  // namespace lanelab
