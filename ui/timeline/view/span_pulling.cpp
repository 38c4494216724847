// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/span_pulling.h"

#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/timeline/change/change_texts.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/timeline/view/timeline_focus.h"

namespace lanelab {
namespace {

constexpr double kEdge = 6;             ///< pixels from an edge that are its handle
constexpr double kEdgeShare = 1.0 / 3;  ///< of a narrow span
constexpr double kStill = 3;            ///< pixels that a hand moves without meaning it
constexpr double kLaneFrom = 4;         ///< pixels upwards or downwards from which a body is dragged
constexpr qsizetype kCardWidth = 56;    ///< letters

}  // namespace

SpanPulling::SpanPulling(QWidget& view, const TimelineContent& content, const TimelineViewport& viewport,
                         TimelineFocus& focus, TimelineChanges& changes)
    : m_view(view), m_content(content), m_viewport(viewport), m_focus(focus), m_changes(changes) {}

TimeRange SpanPulling::shownRange(SpanRef ref) const {
  const ChangedTimeline* const changed = m_content.changed();
  const auto now = changed ? changed->now(ref) : std::nullopt;
  return now ? changed->data().span(*now).range() : m_content.data()->span(ref).range();
}

SpanPulling::Handle SpanPulling::handleAt(SpanRef ref, QPointF point) const {
  const TimeScale scale = m_viewport.scale();
  const TimeRange range = shownRange(ref);
  const double left = scale.x(range.start), right = scale.x(range.end);
  const double reach = std::min(kEdge, (right - left) * kEdgeShare);
  if (point.x() >= right - std::max(reach, 1.0)) return Handle::End;
  return point.x() <= left + reach ? Handle::Start : Handle::Body;
}

bool SpanPulling::press(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held) {
  if (!(held & Qt::AltModifier)) return false;
  const auto ref = hits.span(point);
  if (!ref) {
    if (const QString why = m_changes.whyNot(); !why.isEmpty()) Q_EMIT m_focus.sentenceChanged(why);
    return false;
  }
  m_focus.setCurrent(ref);
  m_focus.setHovered({});
  m_pull = Pull{*ref, handleAt(*ref, point), shownRange(*ref), point, m_changes.whyNot(*ref)};
  if (!m_pull->why_not.isEmpty()) refuse(m_pull->why_not);
  m_view.update();
  return true;
}

void SpanPulling::pull(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held) {
  if (!m_pull || !m_changes.whyNot(m_pull->span).isEmpty()) return m_view.update();
  if (m_pull->handle == Handle::Body)
    pullBody(hits, point);
  else
    pullEdge(point, held & Qt::ShiftModifier);
  m_view.update();
}

/// The pointer moves the edge; what follows moves the span, so only the way of the pointer counts.
void SpanPulling::pullEdge(QPointF point, bool all) {
  const double way = point.x() - m_pull->pressed_at.x();
  const auto length = static_cast<double>(m_pull->range.length());
  const double more = way * m_viewport.scale().nanosecondsPerPixel() * (m_pull->handle == Handle::End ? 1 : -1);
  const bool moved = std::abs(way) >= kStill && length > 0;
  const double factor = moved ? std::clamp((length + more) / length, kLeastLength, kMostLength) : 1;
  m_pull->changes = moved;
  m_changes.preview(m_changes.spansOf(m_pull->span, all, factor));
}

void SpanPulling::pullBody(const TimelineHits& hits, QPointF point) {
  const auto lane = hits.lane(point);
  const bool far = std::abs(point.y() - m_pull->pressed_at.y()) >= kLaneFrom;
  m_changes.drop();
  m_pull->why_not.clear();
  m_pull->changes = far && lane && *lane != m_changes.laneOf(m_pull->span);
  m_view.setCursor(Qt::ClosedHandCursor);
  if (!m_pull->changes) return;
  if (const QString why = m_changes.whyNotMove(m_pull->span, *lane); !why.isEmpty()) return refuse(why);
  m_changes.preview(m_changes.moveOf(m_pull->span, *lane));
}

void SpanPulling::refuse(const QString& why_not) {
  if (m_pull) {
    m_pull->why_not = why_not;
    m_pull->changes = false;
  }
  m_view.setCursor(Qt::ForbiddenCursor);
  Q_EMIT m_focus.sentenceChanged(why_not);
}

void SpanPulling::release() {
  const auto pull = std::exchange(m_pull, std::nullopt);
  if (!pull) return;
  pull->changes ? m_changes.keep() : m_changes.drop();
  m_view.unsetCursor();
  m_view.update();
}

bool SpanPulling::cancel() {
  if (!std::exchange(m_pull, std::nullopt)) return false;
  m_changes.drop();
  m_view.unsetCursor();
  m_view.update();
  return true;
}

void SpanPulling::hover(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held) {
  const auto ref = held & Qt::AltModifier ? hits.span(point) : std::nullopt;
  const QString why = held & Qt::AltModifier ? ref ? m_changes.whyNot(*ref) : m_changes.whyNot() : QString();
  if (!ref && why.isEmpty()) return endHover();
  m_hovering = true;
  if (!why.isEmpty()) return refuse(why);
  m_view.setCursor(handleAt(*ref, point) == Handle::Body ? Qt::OpenHandCursor : Qt::SizeHorCursor);
  Q_EMIT m_focus.sentenceChanged(pullHint(m_content.data()->trace(), m_changes.spansOf(*ref, false, 1)));
}

void SpanPulling::endHover() {
  if (!std::exchange(m_hovering, false)) return;
  m_view.unsetCursor();
  m_focus.repeatSentence();
}

void SpanPulling::scaleCurrent(double factor, bool all) {
  if (m_content.empty() || isPulling()) return;
  const auto& ref = m_focus.current();
  const QString why = ref ? m_changes.whyNot(*ref) : m_changes.whyNot();
  if (!why.isEmpty()) {
    Q_EMIT m_focus.sentenceChanged(why);
    return;
  }
  if (!ref) {
    Q_EMIT m_focus.sentenceChanged(TimelineTexts::tr("Select an action first: click it, or press . or ,"));
    return;
  }
  m_changes.preview(m_changes.spansOf(*ref, all, factor));
  m_changes.keep();
}

void SpanPulling::moveCurrent(int direction) {
  if (m_content.empty() || isPulling()) return;
  const auto& ref = m_focus.current();
  if (!ref || !m_changes.whyNot(*ref).isEmpty()) return scaleCurrent(1, false);  // which says why not
  const auto lane = laneBeside(m_changes.laneOf(*ref), direction);
  const QString why = lane            ? m_changes.whyNotMove(*ref, *lane)
                      : direction < 0 ? TimelineTexts::tr("No lane is above this one.")
                                      : TimelineTexts::tr("No lane is below this one.");
  if (!why.isEmpty()) {
    Q_EMIT m_focus.sentenceChanged(why);
    return;
  }
  m_changes.preview(m_changes.moveOf(*ref, *lane));
  m_changes.keep();
}

/// As lanes are drawn.
std::optional<int> SpanPulling::laneBeside(int lane, int direction) const {
  const std::vector<LaneBox> boxes = m_viewport.layout().lanes;
  const auto count = static_cast<std::ptrdiff_t>(boxes.size());
  const auto here = std::ranges::find(boxes, lane, &LaneBox::lane) - boxes.begin();
  const auto next = here + direction;
  if (here == count || next < 0 || next >= count || boxes[static_cast<std::size_t>(next)].lane < 0) return {};
  return boxes[static_cast<std::size_t>(next)].lane;
}

QStringList SpanPulling::card() const {
  if (!m_pull) return {};
  if (!m_pull->why_not.isEmpty()) return wrapped(m_pull->why_not, kCardWidth);
  if (!m_pull->changes)
    return {TimelineTexts::tr("Pull an edge to change its length (Shift: all of its kind),"),
            TimelineTexts::tr("or drag it to another lane")};
  const auto& shown = m_changes.shown();
  if (!shown || !shown->latest) return {TimelineTexts::tr("Replaying the steps...")};
  QStringList lines = changeLines(*m_content.data(), *shown);
  const auto* const scaled = std::get_if<ScaledSpans>(&*shown->latest);
  if (scaled && !scaled->all)
    lines << TimelineTexts::tr("With Shift: %1")
                 .arg(spansText(m_content.data()->trace(), m_changes.spansOf(m_pull->span, true, 1)));
  return lines;
}

}  // namespace lanelab
