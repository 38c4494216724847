// SPDX-License-Identifier: GPL-3.0-only
// What a search found in a timeline: in order of time, and row by row for painting. Immutable; built on any thread.
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "profiler/analysis/span_search.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// Finds spans of a trace by other means than a text, in the order of findSpans(). Called on any thread.
using SpanFinder = std::function<std::vector<SpanMatch>(const Trace& trace, const std::stop_token& stop)>;

class FoundSpans {
 public:
  FoundSpans(std::shared_ptr<const TimelineData> data, const QString& text, std::stop_token stop = {});
  FoundSpans(std::shared_ptr<const TimelineData> data, std::vector<SpanMatch> matches);

  const TimelineData& data() const { return *m_data; }
  std::size_t count() const { return m_matches.size(); }
  /// Positions in the row, ascending.
  const std::vector<std::uint32_t>& ofRow(std::size_t row) const { return m_by_row[row]; }

  /// Of a span that was found its place, counted from 0.
  std::optional<std::size_t> placeOf(SpanRef ref) const;
  /// The place of the first one that starts after `current`, or of the last one before it; of none after it the first,
  /// of none before it the last. Without a current one from a time: from there on, or the last that starts before it.
  std::size_t next(const std::optional<SpanRef>& current, Nanoseconds time, int direction) const;
  /// Nothing for a span nested too deeply to be drawn.
  std::optional<SpanRef> refOf(std::size_t place) const {
    return m_data->refOf(m_matches[place].track, m_matches[place].span);
  }

 private:
  SpanMatch matchOf(SpanRef ref) const;

  std::shared_ptr<const TimelineData> m_data;
  std::vector<SpanMatch> m_matches;
  std::vector<std::vector<std::uint32_t>> m_by_row;
};

}  // namespace lanelab
