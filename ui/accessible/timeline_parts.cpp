// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/timeline_parts.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {
namespace {

constexpr double kNarrowestListedGap = 3;  // pixels

struct PartTexts {
  Q_DECLARE_TR_FUNCTIONS(AccessibleTimeline)
};

QString grouped(std::size_t count) { return QString::fromStdString(groupedDigits(static_cast<std::int64_t>(count))); }

/// At most kMostListedSpans of `seen`, around `current` if that is among them.
RowSlice listedOf(const RowSlice& seen, std::optional<std::size_t> current) {
  if (seen.last - seen.first <= kMostListedSpans) return seen;
  std::size_t first = seen.first;
  if (current && *current >= seen.first && *current < seen.last)
    first = std::clamp(*current - std::min(*current, kMostListedSpans / 2), seen.first, seen.last - kMostListedSpans);
  return {first, first + kMostListedSpans};
}

/// From one time to another, neither of which is within an action.
void addGaps(const TimelineData& data, std::size_t row, TimeRange between, Nanoseconds least, ListedLane& to) {
  const int lane = data.rows()[row].lane;
  for (Nanoseconds time = between.start; time < between.end;) {
    if (between.end - time < least) return;
    const std::optional<LaneGap> gap = gapAt(data, lane, time);
    if (gap && gap->row == row && gap->range.length() >= least) {
      to.parts.emplace_back(*gap);
      ++to.listed_gaps;
    }
    const Nanoseconds end = gap ? gap->range.end : momentOf(data, lane, time).range.end;
    time = std::max(end, time + 1);
  }
}

/// A lane's row of actions, from what is listed first to what is listed last, and up to the edges of what is seen if
/// all is listed.
void listActions(const TimelineData& data, std::size_t row, const RowSlice& seen, const RowSlice& listed,
                 const TimeScale& scale, ListedLane& to) {
  const Nanoseconds least = std::llround(scale.nanosecondsPerPixel() * kNarrowestListedGap);
  Nanoseconds end = scale.range.start;
  if (listed.first > seen.first) end = data.span({row, listed.first - 1}).end;
  for (std::size_t position = listed.first; position < listed.last; ++position) {
    const TimeRange range = data.span({row, position}).range();
    addGaps(data, row, {end, range.start}, least, to);
    to.parts.emplace_back(SpanRef{row, position});
    end = std::max(end, range.end);
  }
  if (listed.last == seen.last) addGaps(data, row, {end, scale.range.end}, least, to);
}

void listRow(const TimelineData& data, const RowBox& box, const TimeScale& scale, bool shows_idle,
             const std::optional<SpanRef>& current, ListedLane& to) {
  const Row& row = data.rows()[box.row];
  if (row.track == Row::kNoTrack) return;
  const RowSlice seen = visibleSpans(row, data.track(row), scale.range);
  const bool has_current = current && current->row == box.row;
  const RowSlice listed = listedOf(seen, has_current ? std::optional(current->position) : std::nullopt);
  to.all_spans += row.spans.size();
  to.seen_spans += seen.last - seen.first;
  to.listed_spans += listed.last - listed.first;
  if (shows_idle && row.kind == Track::Kind::Compute && row.depth == 0)
    return listActions(data, box.row, seen, listed, scale, to);
  for (std::size_t position = listed.first; position < listed.last; ++position)
    to.parts.emplace_back(SpanRef{box.row, position});
}

/// What parts of a lane are sorted by; few have the same.
std::pair<std::size_t, Nanoseconds> orderOf(const TimelineData& data, const TimelinePart& part) {
  return {rowOf(part), rangeOf(data, part).start};
}

QString spanName(const TimelineData& data, SpanRef ref) {
  const Span span = data.span(ref);
  return PartTexts::tr("%1, %2").arg(
      spanTitle(data, ref), data.isRunning(ref) ? PartTexts::tr("running") : durationText(span.range().length()));
}

QString gapName(const TimelineData& data, const LaneGap& gap) {
  const QString name = PartTexts::tr("%1, %2").arg(gapTitle(data, gap), durationText(gap.range.length()));
  const QString why = whyText(data.causesWithin(gap.lane, gap.range));
  return why.isEmpty() ? name : PartTexts::tr("%1. %2").arg(name, why);
}

QString rowsText(const DetailRows& rows) {
  QStringList words;
  for (const auto& [name, value] : rows) words << PartTexts::tr("%1: %2").arg(name, value);
  return words.join(QStringLiteral("; "));
}

}  // namespace

PartKey keyOf(const TimelinePart& part) {
  if (const auto* const span = std::get_if<SpanRef>(&part))
    return {span->row, false, static_cast<std::int64_t>(span->position)};
  const LaneGap& gap = std::get<LaneGap>(part);
  return {gap.row, true, gap.range.start};
}

std::vector<ListedLane> listParts(const TimelineData& data, const TimelineLayout& layout, const TimeScale& scale,
                                  const std::optional<SpanRef>& current) {
  std::vector<ListedLane> lanes;
  for (const LaneBox& box : layout.lanes)
    if (box.lane >= 0) lanes.push_back({.lane = box.lane, .parts = {}});
  for (const RowBox& box : layout.rows) {
    const auto lane = std::ranges::find(lanes, data.rows()[box.row].lane, &ListedLane::lane);
    if (lane != lanes.end()) listRow(data, box, scale, layout.shows_idle, current, *lane);
  }
  return lanes;
}

int placeIn(const TimelineData& data, const ListedLane& lane, const TimelinePart& part) {
  const auto order = [&](const TimelinePart& one) { return orderOf(data, one); };
  auto at = std::ranges::lower_bound(lane.parts, order(part), {}, order);
  for (; at != lane.parts.end() && order(*at) == order(part); ++at)
    if (keyOf(*at) == keyOf(part)) return static_cast<int>(at - lane.parts.begin());
  return -1;
}

std::optional<TimelinePart> again(const TimelineData& data, const TimelinePart& part) {
  if (const auto* const span = std::get_if<SpanRef>(&part)) {
    const bool has_row = span->row < data.rows().size() && data.rows()[span->row].track != Row::kNoTrack;
    return has_row && span->position < data.rows()[span->row].spans.size() ? std::optional(part) : std::nullopt;
  }
  const LaneGap& before = std::get<LaneGap>(part);
  if (static_cast<std::size_t>(before.lane) >= data.trace().lanes.size()) return std::nullopt;
  const std::optional<LaneGap> gap = gapAt(data, before.lane, before.range.start);
  return gap && keyOf(*gap) == keyOf(part) ? std::optional<TimelinePart>(*gap) : std::nullopt;
}

std::size_t rowOf(const TimelinePart& part) { return keyOf(part).row; }

TimeRange rangeOf(const TimelineData& data, const TimelinePart& part) {
  const auto* const span = std::get_if<SpanRef>(&part);
  return span ? data.span(*span).range() : std::get<LaneGap>(part).range;
}

QString nameOf(const TimelineData& data, const TimelinePart& part) {
  const auto* const span = std::get_if<SpanRef>(&part);
  return span ? spanName(data, *span) : gapName(data, std::get<LaneGap>(part));
}

QString descriptionOf(const TimelineData& data, const TimelinePart& part) {
  const auto* const span = std::get_if<SpanRef>(&part);
  return rowsText(span ? spanFacts(data, *span) : gapFacts(data, std::get<LaneGap>(part)));
}

QString nameOf(const TimelineData& data, const LaneBox& lane) {
  QStringList words{data.laneName(lane.lane)};
  if (data.replicaOf(lane.lane) >= 0) words << replicaName(data.replicaOf(lane.lane));
  if (const auto share = data.busyShare(lane.lane)) words << PartTexts::tr("utilization %1").arg(shareText(*share));
  if (lane.collapsed) words << PartTexts::tr("collapsed");
  if (lane.pinned) words << PartTexts::tr("pinned");
  return words.join(QStringLiteral(", "));
}

QString descriptionOf(const ListedLane& lane) {
  const QString gaps = PartTexts::tr("%n gap(s)", nullptr, static_cast<int>(lane.listed_gaps));
  return PartTexts::tr("In sight: %1 of %2 spans; listed: %3 spans, %4")
      .arg(grouped(lane.seen_spans), grouped(lane.all_spans), grouped(lane.listed_spans), gaps);
}

}  // namespace lanelab
