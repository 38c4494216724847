#include "ui/timeline/rows.h"

#include <algorithm>
#include <array>

namespace lanelab {
namespace {

using Kind = Track::Kind;
constexpr std::array<Kind, 5> kOrder = {Kind::Compute, Kind::Detail, Kind::Transfer, Kind::Stream, Kind::Host};

/// Deeper than this, spans share the last row's fate of not being drawn: no reader follows more levels.
constexpr std::size_t kMostDepths = 8;

bool belongs(const Trace& trace, const Track& track, const Span& span) {
  return track.kind != Kind::Compute || span.category == Category::Action || trace.failed(span);
}

/// First fit by end: nested spans fall below the one that holds them, overlapping ones into the next free row.
std::vector<Row> rowsOfTrack(const Trace& trace, std::size_t index) {
  const Track& track = trace.tracks[index];
  std::vector<Row> rows;
  std::vector<Nanoseconds> ends;
  for (std::uint32_t i = 0; i < track.spans.size(); ++i) {
    const Span span = track.spans[i];
    if (!belongs(trace, track, span)) continue;
    std::size_t depth = ends.size();
    while (depth > 0 && ends[depth - 1] <= span.start) --depth;
    if (depth == kMostDepths) continue;
    if (depth == rows.size()) {
      rows.push_back({track.lane, track.kind, index, static_cast<int>(depth), {}, {}});
      rows.back().spans.reserve(depth == 0 ? track.spans.size() : 0);
    }
    ends.resize(depth + 1);
    ends[depth] = span.end;
    rows[depth].spans.push_back(i);
  }
  for (Row& row : rows) row.busy = BusyPyramid(row.spans, track);
  return rows;
}

}  // namespace

std::vector<Row> rowsOf(const Trace& trace) {
  std::vector<Row> rows;
  for (int lane = 0; lane < static_cast<int>(trace.lanes.size()); ++lane) {
    for (const Kind kind : kOrder) {
      const std::size_t before = rows.size();
      for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
        if (trace.tracks[track].lane != lane || trace.tracks[track].kind != kind) continue;
        for (Row& row : rowsOfTrack(trace, track)) rows.push_back(std::move(row));
      }
      if (kind == Kind::Compute && rows.size() == before) rows.push_back({lane, kind, Row::kNoTrack, 0, {}, {}});
    }
  }
  return rows;
}

bool isDetail(const Row& row) { return row.kind == Kind::Detail || row.kind == Kind::Host; }

RowSlice visibleSpans(const Row& row, const Track& track, TimeRange range) {
  const auto endsBefore = [&](std::uint32_t span, Nanoseconds time) { return track.spans.endOf(span) <= time; };
  const auto startsBefore = [&](std::uint32_t span, Nanoseconds time) { return track.spans.startOf(span) < time; };
  const auto first = std::lower_bound(row.spans.begin(), row.spans.end(), range.start, endsBefore);
  const auto last = std::lower_bound(first, row.spans.end(), range.end, startsBefore);
  return {static_cast<std::size_t>(first - row.spans.begin()), static_cast<std::size_t>(last - row.spans.begin())};
}

}  // namespace lanelab
