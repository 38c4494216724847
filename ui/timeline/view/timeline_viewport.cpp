// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_viewport.h"

#include <algorithm>
#include <utility>

namespace lanelab {
namespace {

constexpr double kNarrowestFound = 12;  ///< pixels; a span below that is zoomed to
constexpr double kFoundShare = 8;       ///< a span that was zoomed to takes this part of the width
constexpr double kWidestFound = 0.8;    ///< of the width; a longer one is zoomed out of
constexpr double kRowMargin = 8;

}  // namespace

TimelineViewport::TimelineViewport(const TimelineContent& content, std::function<QRectF()> area)
    : m_content(content), m_area(std::move(area)) {}

TimelineLayout TimelineViewport::layoutIn(const QRectF& area) const {
  return layOut(*m_content.data(), area, m_arrangement, m_scroll);
}

void TimelineViewport::navigate(const std::function<void(Navigation&)>& change) {
  change(m_navigation);
  m_follows = false;
  Q_EMIT moved();
}

void TimelineViewport::previousZoom() {
  if (m_navigation.previous()) Q_EMIT moved();
}

void TimelineViewport::setFollow(bool follow) {
  if (std::exchange(m_follows, follow) == follow || !follow || m_content.empty()) return;
  followNewest();
  Q_EMIT moved();
}

void TimelineViewport::followNewest() {
  const TimelineData& data = *m_content.data();
  m_navigation.follow(newestSteps(data.steps(), data.range(), m_expected_step));
}

void TimelineViewport::scrollTo(double offset) {
  m_scroll = offset;
  Q_EMIT scrolled();
}

void TimelineViewport::arrange(RowArrangement next) {
  if (next == m_arrangement) return;
  m_arrangement = std::move(next);
  Q_EMIT arrangementChanged();
}

void TimelineViewport::rearrange(const std::function<void(RowArrangement&)>& change) {
  RowArrangement next = m_arrangement;
  change(next);
  arrange(std::move(next));
}

void TimelineViewport::setTrace(const TraceChange& change) {
  const TimelineData* const data = m_content.data().get();
  const bool forgets = !change.same_lanes && m_arrangement.arrangesLanes();
  if (forgets) m_arrangement.forgetLanes();
  if (!change.continued) m_scroll = 0;
  m_navigation.setTrace(data ? data->range() : TimeRange{}, data ? data->steps() : std::vector<StepWindow>{},
                        !change.continued);
  if (m_follows && data) followNewest();
  if (forgets) Q_EMIT arrangementChanged();
  Q_EMIT moved();
}

void TimelineViewport::reveal(SpanRef ref) { reveal(ref.row, m_content.data()->span(ref).range()); }

void TimelineViewport::reveal(std::size_t row, TimeRange range) {
  const auto length = static_cast<double>(range.length());
  scrollToRow(row);
  const double pixels = length / std::max(scale().nanosecondsPerPixel(), 1e-9);
  const double share = length / static_cast<double>(std::max<Nanoseconds>(visible().length(), 1));
  navigate([&](Navigation& navigation) {
    if (pixels < kNarrowestFound)
      navigation.show(movedInto(widened(range, kFoundShare / 2), navigation.everything()));
    else if (share > kWidestFound)
      navigation.show(widened(range, (1 / kWidestFound - 1) / 2));
    else
      navigation.reveal(range);
  });
}

void TimelineViewport::scrollToRow(std::size_t row) {
  if (!layout().boxOf(row))
    rearrange([&](RowArrangement& rows) {
      rows.show(m_content.data()->rowKind(row), true);
      rows.collapse(m_content.data()->rows()[row].lane, false);
    });
  const TimelineLayout placed = layout();
  const RowBox* box = placed.boxOf(row);
  if (!box || box->pinned) return;
  const QRectF sight = placed.sightOf(*box);
  const double above = sight.top() + kRowMargin - box->rect.top(),
               below = box->rect.bottom() - (sight.bottom() - kRowMargin);
  if (above > 0)
    scrollTo(m_scroll - above);
  else if (below > 0)
    scrollTo(m_scroll + below);
}

}  // namespace lanelab
