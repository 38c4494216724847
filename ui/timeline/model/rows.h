// SPDX-License-Identifier: GPL-3.0-only
// Which rows a trace has: tracks of each lane in drawing order, split so that no two spans of a row overlap.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"
#include "ui/timeline/model/busy_pyramid.h"
#include "ui/timeline/model/span_indices.h"

namespace lanelab {

/// Spans of one track at one depth of nesting: disjoint, by start, so both starts and ends are sorted.
struct Row {
  int lane = 0;
  Track::Kind kind = Track::Kind::Compute;
  std::size_t track = 0;  ///< index into Trace::tracks; kNoTrack for a lane that has not computed yet
  int depth = 0;
  SpanIndices spans;  ///< places in the track's spans
  BusyPyramid busy;   ///< of them; empty where they are few

  static constexpr std::size_t kNoTrack = static_cast<std::size_t>(-1);
  bool holdsActions() const { return kind == Track::Kind::Compute && track != kNoTrack; }
};

/// An earlier snapshot of a trace that only grows, and its rows.
struct GrownFrom {
  const Trace& trace;
  const std::vector<Row>& rows;
};

/// Lane by lane: compute (always one, its actions and the one that failed), blocks and operators by depth, transfers,
/// streams, host. Step tracks give no row. Rows without spans are left out. With `before`, only what is new costs
/// anything.
std::vector<Row> rowsOf(const Trace& trace, const std::optional<GrownFrom>& before = {});

/// The half-open interval of positions in `row.spans` that touch `range`.
struct RowSlice {
  std::size_t first = 0;
  std::size_t last = 0;
};
RowSlice visibleSpans(const Row& row, const Track& track, TimeRange range);

/// A span by its row and its position there.
struct SpanRef {
  std::size_t row = 0;
  std::size_t position = 0;
  bool operator==(const SpanRef&) const = default;
};

}  // namespace lanelab
