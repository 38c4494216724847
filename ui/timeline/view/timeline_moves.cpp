// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_moves.h"

#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/legend.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kSpanMargin = 0.5;  // around a span or gap that is zoomed to, so that it takes half the width
constexpr double kNarrowestGap = 3;  // pixels

}  // namespace

void TimelineMoves::zoomBy(double factor) {
  const TimelineLayout placed = m_viewport.layout();
  const TimeRange seen = m_viewport.visible();
  const auto& pointer = m_focus.pointer();
  const bool at_pointer = pointer && placed.body.contains(*pointer);
  const Nanoseconds anchor = at_pointer ? placed.scale(seen).time(pointer->x()) : seen.start + seen.length() / 2;
  m_viewport.navigate([&](Navigation& navigation) { navigation.zoomAt(anchor, factor); });
}

void TimelineMoves::panBy(double share) {
  const Nanoseconds by = std::llround(static_cast<double>(m_viewport.visible().length()) * share);
  m_viewport.navigate([by](Navigation& navigation) { navigation.pan(by); });
}

void TimelineMoves::zoomToFocus() {
  if (m_content.empty()) return;
  if (const auto& range = m_focus.selection())
    m_viewport.navigate([&](Navigation& navigation) { navigation.show(*range); });
  else if (m_focus.current())
    zoomTo(*m_focus.current());
  else if (m_focus.currentGap())
    zoomTo(*m_focus.currentGap());
}

void TimelineMoves::zoomTo(SpanRef ref) { zoomTo(m_content.data()->span(ref).range()); }

void TimelineMoves::zoomTo(const LaneGap& gap) { zoomTo(gap.range); }

void TimelineMoves::zoomTo(TimeRange range) {
  m_viewport.navigate([&](Navigation& navigation) { navigation.show(widened(range, kSpanMargin)); });
}

void TimelineMoves::stepSpan(int direction) {
  if (m_content.empty()) return;
  const auto next = m_focus.current() ? neighbourInRow(direction) : firstInSight(direction);
  if (!next) return;
  m_viewport.navigate([&](Navigation& navigation) { navigation.reveal(m_content.data()->span(*next).range()); });
  m_focus.setCurrent(next);
}

void TimelineMoves::stepGap(int direction) {
  if (m_content.empty()) return;
  const TimelineData& data = *m_content.data();
  const auto lane = m_focus.currentLane();
  const auto& gap = m_focus.currentGap();
  const auto& span = m_focus.current();
  const TimeRange here = gap ? gap->range : span ? data.span(*span).range() : m_viewport.visible();
  const bool inside = !gap && !span;  // from the edge of what is seen
  const Nanoseconds from = (direction > 0) == inside ? here.start : here.end;
  std::optional<LaneGap> next;
  if (lane) next = gapBeyond(*lane, from, direction);
  for (const LaneBox& box : m_viewport.layout().lanes)
    if (!lane && !next && box.lane >= 0) next = gapBeyond(box.lane, from, direction);
  if (next) goTo(*next);
}

/// Wide enough to be seen at this zoom.
std::optional<LaneGap> TimelineMoves::gapBeyond(int lane, Nanoseconds from, int direction) const {
  const TimelineData& data = *m_content.data();
  const Nanoseconds least = std::llround(m_viewport.scale().nanosecondsPerPixel() * kNarrowestGap);
  return direction > 0 ? firstGapFrom(data, lane, from, least) : lastGapBefore(data, lane, from, least);
}

std::optional<SpanRef> TimelineMoves::neighbourInRow(int direction) const {
  SpanRef next = *m_focus.current();
  if (direction < 0 && next.position == 0) return {};
  next.position += static_cast<std::size_t>(direction);
  if (next.position >= m_content.data()->rows()[next.row].spans.size()) return {};
  return next;
}

/// In the first row of the chosen lane, or of all.
std::optional<SpanRef> TimelineMoves::firstInSight(int direction) const {
  const TimelineData& data = *m_content.data();
  const auto lane = m_focus.currentLane();
  for (const RowBox& box : m_viewport.layout().rows) {
    const Row& row = data.rows()[box.row];
    if (row.spans.empty() || (lane && row.lane != *lane)) continue;
    const RowSlice seen = visibleSpans(row, data.track(row), m_viewport.visible());
    if (seen.first == seen.last) return {};
    return SpanRef{box.row, direction > 0 ? seen.first : seen.last - 1};
  }
  return {};
}

void TimelineMoves::stepRow(int direction) {
  if (m_content.empty()) return;
  if (m_focus.currentGap()) {
    if (const auto next = gapOfLaneBeside(direction)) goTo(*next);
    return;
  }
  if (!m_focus.current()) return scrollBy(direction * kScrollStep);
  if (const auto next = inLikeRow(direction)) m_focus.setCurrent(next);
}

std::optional<SpanRef> TimelineMoves::inLikeRow(int direction) const {
  const TimelineData& data = *m_content.data();
  const Row& from = data.rows()[m_focus.current()->row];
  const TimeRange range = data.span(*m_focus.current()).range();
  const Nanoseconds middle = range.start + range.length() / 2;
  const TimelineLayout placed = m_viewport.layout();
  const RowBox* here = placed.boxOf(m_focus.current()->row);
  if (!here) return {};
  const auto count = static_cast<std::ptrdiff_t>(placed.rows.size());
  for (auto box = here - placed.rows.data() + direction; box >= 0 && box < count; box += direction) {
    const std::size_t index = placed.rows[static_cast<std::size_t>(box)].row;
    const Row& row = data.rows()[index];
    if (row.spans.empty() || row.kind != from.kind || row.depth != from.depth) continue;
    const RowSlice later = visibleSpans(row, data.track(row), {middle, middle + 1});
    return SpanRef{index, std::min(later.first, row.spans.size() - 1)};
  }
  return {};
}

/// At the middle of the current one where that lane is idle, too; else the nearest after it, else before it.
std::optional<LaneGap> TimelineMoves::gapOfLaneBeside(int direction) const {
  const LaneGap& from = *m_focus.currentGap();
  const Nanoseconds middle = from.range.start + from.range.length() / 2;
  const TimelineLayout placed = m_viewport.layout();
  const LaneBox* const here = placed.boxOfLane(from.lane);
  const auto count = static_cast<std::ptrdiff_t>(placed.lanes.size());
  for (auto box = here ? here - placed.lanes.data() + direction : -1; box >= 0 && box < count; box += direction) {
    const int lane = placed.lanes[static_cast<std::size_t>(box)].lane;
    if (lane < 0) continue;
    if (const auto same = gapAt(*m_content.data(), lane, middle)) return same;
    if (const auto later = gapBeyond(lane, middle, +1)) return later;
    if (const auto earlier = gapBeyond(lane, middle, -1)) return earlier;
  }
  return {};
}

void TimelineMoves::toggleLegend(int number) {
  if (m_content.empty() || m_content.tintsDifferences()) return;
  for (const LegendEntry& entry : legendEntries(*m_content.data(), m_viewport.arrangement())) {
    if (entry.number != number || !entry.rows) continue;
    m_viewport.rearrange([&](RowArrangement& rows) { rows.show(*entry.rows, !entry.shown); });
    Q_EMIT m_focus.described(entry.shown ? TimelineTexts::tr("%1 hidden").arg(entry.text)
                                         : TimelineTexts::tr("%1 shown").arg(entry.text));
    return;
  }
}

void TimelineMoves::followArrow(int direction) {
  if (!m_content.empty() && m_focus.currentGap()) return followGap(direction);
  if (m_content.empty() || !m_focus.current()) return;
  const Dependencies dependencies = m_content.dependencies();
  const auto next =
      direction < 0 ? dependencies.waitedOn(*m_focus.current()) : dependencies.waiting(*m_focus.current());
  if (next) return goTo(*next);
  Q_EMIT m_focus.sentenceChanged(direction < 0 ? TimelineTexts::tr("This span depends on no other span of its step")
                                               : TimelineTexts::tr("No other span of its step depends on this one"));
}

/// To what it waited for, or to what came next.
void TimelineMoves::followGap(int direction) {
  const LaneGap& gap = *m_focus.currentGap();
  const auto next = direction < 0 ? awaitedBy(*m_content.data(), m_content.dependencies(), gap) : gap.after;
  if (next) return goTo(*next);
  Q_EMIT m_focus.sentenceChanged(direction < 0 ? TimelineTexts::tr("The trace does not show what this gap waited for")
                                               : TimelineTexts::tr("Nothing follows this gap in its step"));
}

void TimelineMoves::goTo(SpanRef ref) {
  m_viewport.reveal(ref);
  m_focus.setCurrent(ref);
}

void TimelineMoves::goTo(const LaneGap& gap) {
  m_viewport.reveal(gap.row, gap.range);
  m_focus.setCurrentGap(gap);
}

void TimelineMoves::toggleCollapsed() {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  m_viewport.rearrange([&](RowArrangement& rows) { rows.collapse(*lane, !rows.isCollapsed(*lane)); });
  m_focus.describeLane(*lane);
}

void TimelineMoves::togglePinned() {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  m_viewport.rearrange([&](RowArrangement& rows) { rows.pin(*lane, !rows.isPinned(*lane)); });
  m_focus.describeLane(*lane);
}

void TimelineMoves::moveLane(int direction) {
  const auto lane = m_focus.currentLane();
  if (!lane) return;
  const std::vector<int> seen = seenLanes();
  m_viewport.rearrange([&](RowArrangement& rows) { rows.moveBy(*lane, direction, seen, m_content.lanes()); });
  const std::vector<int> now = seenLanes();
  const auto place = std::ranges::find(now, *lane) - now.begin() + 1;
  Q_EMIT m_focus.described(
      TimelineTexts::tr("%1 is lane %2 of %3")
          .arg(m_content.data()->laneName(*lane), QString::number(place), QString::number(now.size())));
}

std::vector<int> TimelineMoves::seenLanes() const {
  std::vector<int> lanes;
  for (const LaneBox& box : m_viewport.layout().lanes)
    if (box.lane >= 0) lanes.push_back(box.lane);
  return lanes;
}

void TimelineMoves::moveLaneBefore(std::optional<int> next) {
  if (const auto lane = m_focus.currentLane())
    m_viewport.rearrange([&](RowArrangement& rows) { rows.moveBefore(*lane, next, m_content.lanes()); });
}

void TimelineMoves::toggleReplica() {
  const auto lane = m_focus.currentLane();
  if (lane && m_content.data()->replicaOf(*lane) >= 0) toggleReplica(m_content.data()->replicaOf(*lane));
}

void TimelineMoves::toggleReplica(int replica) {
  std::vector<int> lanes;
  for (int lane = 0; lane < m_content.lanes(); ++lane)
    if (m_content.data()->replicaOf(lane) == replica) lanes.push_back(lane);
  m_viewport.rearrange([&](RowArrangement& rows) { rows.toggleCollapse(lanes); });
}

void TimelineMoves::collapseAll(bool collapsed) {
  if (m_content.empty()) return;
  m_viewport.rearrange([&](RowArrangement& rows) { rows.collapseAll(m_content.lanes(), collapsed); });
}

}  // namespace lanelab
