// SPDX-License-Identifier: GPL-3.0-only
// Which spans and gaps of a timeline are listed for screen readers, and how they are called: those in sight, few of
// each row however many there are. Costs a few binary searches for each that is listed; spans are referred to, not
// copied. Pure.
#pragma once

#include <QString>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/lane_gap.h"

namespace lanelab {

/// Of a row, with the gaps between them.
inline constexpr std::size_t kMostListedSpans = 100;

using TimelinePart = std::variant<SpanRef, LaneGap>;

/// What distinguishes a part from the others of its trace; ordered by row, then by time.
struct PartKey {
  std::size_t row = 0;
  bool gap = false;
  std::int64_t place = 0;  ///< of a span its position in the row, of a gap its start
  auto operator<=>(const PartKey&) const = default;
};
PartKey keyOf(const TimelinePart& part);

struct ListedLane {
  int lane = 0;
  std::vector<TimelinePart> parts;                              ///< row by row from the top, each by start
  std::size_t listed_spans = 0, seen_spans = 0, all_spans = 0;  ///< of its shown rows
  std::size_t listed_gaps = 0;
};

/// The lanes of `layout` from top to bottom. Of a row with many spans in sight those around `current` are listed, else
/// the first. Gaps narrower than 3 pixels are left out, as for the keys.
std::vector<ListedLane> listParts(const TimelineData& data, const TimelineLayout& layout, const TimeScale& scale,
                                  const std::optional<SpanRef>& current);
/// The place of a part in its lane; -1 if it is not listed. A binary search.
int placeIn(const TimelineData& data, const ListedLane& lane, const TimelinePart& part);

/// The part as the trace has it now: a gap may have grown. Nothing if the trace does not have it.
std::optional<TimelinePart> again(const TimelineData& data, const TimelinePart& part);
/// "Forward, micro-batch 3, 12.3 ms", "Idle before Backward, micro-batch 0, 4.1 ms. It waited for training data.".
QString nameOf(const TimelineData& data, const TimelinePart& part);
/// All else that the status line says of it.
QString descriptionOf(const TimelineData& data, const TimelinePart& part);
/// "cpu:1, replica 0, utilization 83 %, collapsed, pinned".
QString nameOf(const TimelineData& data, const LaneBox& lane);
TimeRange rangeOf(const TimelineData& data, const TimelinePart& part);
std::size_t rowOf(const TimelinePart& part);
/// "In sight: 300 of 4,000 spans; listed: 100 spans, 3 gaps".
QString descriptionOf(const ListedLane& lane);

}  // namespace lanelab
