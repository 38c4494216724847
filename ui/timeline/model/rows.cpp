// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/rows.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace lanelab {
namespace {

using Kind = Track::Kind;
constexpr std::array<Kind, 5> kOrder = {Kind::Compute, Kind::Detail, Kind::Transfer, Kind::Stream, Kind::Host};

/// Deeper than this, spans share the last row's fate of not being drawn: no reader follows more levels.
constexpr std::size_t kMostDepths = 8;

bool belongs(const Trace& trace, const Track& track, const Span& span) {
  return track.kind != Kind::Compute || span.category == Category::Action || span.category == Category::Evaluation ||
         trace.failed(span);
}

/// How many leading spans two tracks have in common, as far as that is known without looking at each.
std::size_t inCommon(const Track& before, const Track& now) {
  if (before.lane != now.lane || before.kind != now.kind || before.name != now.name) return 0;
  return now.spans.sharedWith(before.spans);
}

/// First fit by end: nested spans fall below the one that holds them, overlapping ones into the next free row.
class RowFiller {
 public:
  /// `rows`: those of the track before it grew, of which its first `known` spans stay.
  RowFiller(const Trace& trace, std::size_t index, std::vector<Row> rows, std::size_t known)
      : m_trace(trace), m_track(trace.tracks[index]), m_index(index), m_rows(std::move(rows)) {
    for (Row& row : m_rows) row.spans.dropFrom(static_cast<std::uint32_t>(known));
    while (!m_rows.empty() && m_rows.back().spans.empty()) m_rows.pop_back();
    for (const Row& row : m_rows) m_known.push_back(row.spans.size());
    findEnds();
    for (auto i = static_cast<std::uint32_t>(known); i < m_track.spans.size(); ++i) place(i, m_track.spans[i]);
  }

  std::vector<Row> take() {
    m_known.resize(m_rows.size(), 0);
    for (std::size_t depth = 0; depth < m_rows.size(); ++depth)
      m_rows[depth].busy.update(m_rows[depth].spans, m_track, m_known[depth]);
    return std::move(m_rows);
  }

 private:
  /// Spans deeper than the one that was placed last had ended by then.
  void findEnds() {
    std::size_t last = 0;
    for (std::size_t depth = 1; depth < m_rows.size(); ++depth) {
      if (m_rows[depth].spans.back() > m_rows[last].spans.back()) last = depth;
    }
    for (std::size_t depth = 0; depth < m_rows.size() && depth <= last; ++depth)
      m_ends.push_back(m_track.spans.endOf(m_rows[depth].spans.back()));
  }

  void place(std::uint32_t i, const Span& span) {
    if (!belongs(m_trace, m_track, span)) return;
    std::size_t depth = m_ends.size();
    while (depth > 0 && m_ends[depth - 1] <= span.start) --depth;
    if (depth == kMostDepths) return;
    if (depth == m_rows.size())
      m_rows.push_back({m_track.lane, m_track.kind, m_index, static_cast<int>(depth), {}, {}});
    m_ends.resize(depth + 1);
    m_ends[depth] = span.end;
    m_rows[depth].spans.push_back(i);
  }

  const Trace& m_trace;
  const Track& m_track;
  std::size_t m_index;
  std::vector<Row> m_rows;
  std::vector<std::size_t> m_known;  ///< spans of each row that it had before
  std::vector<Nanoseconds> m_ends;   ///< of what is open, by depth
};

std::vector<Row> rowsOfTrack(const Trace& trace, std::size_t index, const std::optional<GrownFrom>& before) {
  const bool known = before && index < before->trace.tracks.size();
  const std::size_t common = known ? inCommon(before->trace.tracks[index], trace.tracks[index]) : 0;
  std::vector<Row> rows;
  if (common > 0)
    std::copy_if(before->rows.begin(), before->rows.end(), std::back_inserter(rows),
                 [index](const Row& row) { return row.track == index; });
  return RowFiller(trace, index, std::move(rows), common).take();
}

}  // namespace

std::vector<Row> rowsOf(const Trace& trace, const std::optional<GrownFrom>& before) {
  std::vector<Row> rows;
  const std::vector<bool> used = lanesInUse(trace);
  for (int lane = 0; lane < static_cast<int>(trace.lanes.size()); ++lane) {
    if (!used[static_cast<std::size_t>(lane)]) continue;
    for (const Kind kind : kOrder) {
      const std::size_t above = rows.size();
      for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
        if (trace.tracks[track].lane != lane || trace.tracks[track].kind != kind) continue;
        for (Row& row : rowsOfTrack(trace, track, before)) rows.push_back(std::move(row));
      }
      if (kind == Kind::Compute && rows.size() == above) rows.push_back({lane, kind, Row::kNoTrack, 0, {}, {}});
    }
  }
  return rows;
}

RowSlice visibleSpans(const Row& row, const Track& track, TimeRange range) {
  const auto endsBefore = [&](std::size_t position) { return track.spans.endOf(row.spans[position]) <= range.start; };
  const auto startsBefore = [&](std::size_t position) { return track.spans.startOf(row.spans[position]) < range.end; };
  const std::size_t first = firstNot(0, row.spans.size(), endsBefore);
  const std::size_t last = firstNot(first, row.spans.size(), startsBefore);
  return {first, last};
}

}  // namespace lanelab
