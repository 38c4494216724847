// SPDX-License-Identifier: GPL-3.0-only
#include "base/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanelab {
namespace {

constexpr double kLeastShare = 0.05;  ///< done before the pace can be judged

double secondsBetween(Pace::Time from, Pace::Time to) { return std::chrono::duration<double>(to - from).count(); }

}  // namespace

double Progress::share() const {
  return total > 0 ? std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0) : 0;
}

void ProgressCount::begin(std::string phase) {
  m_progress.phase = std::move(phase);
  report();
}

void ProgressCount::add(std::int64_t units) {
  m_progress.done = std::min(m_progress.total, m_progress.done + std::max<std::int64_t>(units, 0));
  report();
}

ReportProgress partOf(ReportProgress whole, int part, int parts) {
  if (!whole) return {};
  constexpr std::int64_t kUnitsOfAPart = 1'000'000;
  return [whole = std::move(whole), part, parts](const Progress& progress) {
    const auto done = static_cast<std::int64_t>(progress.share() * static_cast<double>(kUnitsOfAPart));
    whole({progress.phase, part * kUnitsOfAPart + done, parts * kUnitsOfAPart});
  };
}

double Pace::secondsLeft(const Progress& progress, Time now) {
  if (progress.total != m_total || progress.done < m_done) {
    m_start = m_advanced = now;
    m_first = progress.done;
    m_total = progress.total;
  }
  if (std::exchange(m_done, progress.done) != progress.done) m_advanced = now;
  const auto units = static_cast<double>(m_done - m_first);
  if (m_total <= 0 || units < kLeastShare * static_cast<double>(m_total)) return -1;
  const double a_unit = secondsBetween(m_start, m_advanced) / units;
  return std::max(0.0, a_unit * static_cast<double>(m_total - m_done) - secondsBetween(m_advanced, now));
}

Message roughTime(double seconds) {
  if (!(seconds >= 0) || !std::isfinite(seconds)) return {};
  if (seconds < 5) return sentence("a few seconds");
  if (seconds < 57.5) return sentence("about {} s", 5 * std::lround(seconds / 5));
  return sentence("about {} min", std::lround(seconds / 60));
}

std::string timeLeftText(double seconds) {
  const std::string time = roughTime(seconds).message;
  return time.empty() ? time : time + " left";
}

std::string progressText(const Progress& progress, double seconds_left) {
  if (progress.total <= 0) return progress.phase;
  const std::string left = timeLeftText(seconds_left);
  return progress.phase + ": " + std::to_string(static_cast<int>(progress.share() * 100)) + " %" +
         (left.empty() ? "" : ", " + left);
}

}  // namespace lanelab
