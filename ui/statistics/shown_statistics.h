// SPDX-License-Identifier: GPL-3.0-only
// What the pane of statistics shows, as one value that is computed off the window's thread: figures, and the trace that
// they are of. Immutable; any thread.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "profiler/analysis/statistics/span_statistics.h"

namespace lanelab {

/// A trace of any program; `imported` is null unless it was read from a file of one.
struct StatisticsTrace {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const ImportedTrace> imported = nullptr;

  bool operator==(const StatisticsTrace&) const = default;
};

struct StatisticsQuestion {
  StatisticsTrace of;
  Grouping by = Grouping::Name;
  std::optional<TimeRange> range;
};

class ShownStatistics {
 public:
  /// By name where the trace does not have what is asked for. Stopped: for nobody to look at.
  ShownStatistics(StatisticsQuestion question, const std::stop_token& stop);

  const Trace& trace() const { return *m_of.trace; }
  const StatisticsTrace& of() const { return m_of; }
  const SpanStatistics& figures() const { return m_figures; }
  const std::vector<Grouping>& offered() const { return m_offered; }
  QString nameOf(std::uint32_t key) const;
  /// The group of that name, as another trace may have it, too.
  std::optional<std::uint32_t> keyOf(const QString& name) const;
  /// In order of time: of a group or of all, and only those whose names, or those of their groups, have all words of
  /// `filter`.
  std::vector<SpanMatch> spans(std::optional<std::uint32_t> key, const QString& filter,
                               const std::stop_token& stop) const;

 private:
  StatisticsTrace m_of;
  std::vector<Grouping> m_offered;
  SpanStatistics m_figures;
  SpanKeys m_keys;
};

/// "12.34", "0.0123": as many digits as a column of times needs, in milliseconds.
QString millisecondsCell(Nanoseconds time);

}  // namespace lanelab
