// SPDX-License-Identifier: GPL-3.0-only
// Which rows a TimelineView shows, and what mouse and keys do to the lanes' headers.
#include <QAction>
#include <QMenu>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/timeline/paint/replica_band_painter.h"
#include "ui/timeline/view/timeline_state.h"

namespace lanelab {
namespace {

bool sameLanes(const Trace& a, const Trace& b) {
  return std::equal(
      a.lanes.begin(), a.lanes.end(), b.lanes.begin(), b.lanes.end(),
      [](const LaneInfo& one, const LaneInfo& other) { return one.name == other.name && one.device == other.device; });
}

/// Where a lane would go that is dropped at `y`: before the one whose upper half is there. Its own group ends where
/// pinned lanes do.
struct DropPlace {
  std::optional<int> next;
  double y = 0;
};

DropPlace dropPlace(const TimelineLayout& placed, int lane, double y) {
  const LaneBox* moved = placed.boxOfLane(lane);
  DropPlace place;
  const LaneBox* last = nullptr;
  for (const LaneBox& box : placed.lanes) {
    if (box.lane < 0 || !moved || box.pinned != moved->pinned) continue;
    if (y < box.rect.center().y()) return {box.lane, box.rect.top()};
    last = &box;
  }
  // At the end of its group: before what follows the group.
  for (const LaneBox& box : placed.lanes) {
    if (last && &box == last + 1 && box.lane >= 0) place.next = box.lane;
  }
  place.y = last ? last->rect.bottom() : placed.body.top();
  return place;
}

}  // namespace

void TimelineView::Impl::arrange(RowArrangement next) {
  if (next == arrangement) return;
  arrangement = std::move(next);
  if (!empty()) {
    const TimelineLayout placed = layout();
    if (marks.current && !placed.boxOf(marks.current->row)) {
      chosen_lane = data->rows()[marks.current->row].lane;
      setCurrent({});
    }
  }
  setHovered({});
  updateScrollBars();
  invalidate();
  Q_EMIT view.arrangementChanged();
}

void TimelineView::Impl::keepArrangement(const Trace* before) {
  if (before && data && sameLanes(*before, data->trace())) return;
  chosen_lane.reset();
  hovered_lane.reset();
  if (!arrangement.arrangesLanes()) return;
  arrangement.forgetLanes();
  Q_EMIT view.arrangementChanged();
}

void TimelineView::Impl::showRowKind(std::size_t row) {
  RowArrangement next = arrangement;
  next.show(data->rowKind(row), true);
  next.collapse(data->rows()[row].lane, false);
  arrange(std::move(next));
}

std::optional<int> TimelineView::Impl::currentLane() const {
  if (empty()) return {};
  if (marks.current) return data->rows()[marks.current->row].lane;
  return chosen_lane;
}

void TimelineView::Impl::chooseLane(std::optional<int> lane) {
  if (marks.current && lane && data->rows()[marks.current->row].lane != *lane) setCurrent({});
  chosen_lane = lane;
  view.update();
  if (!lane || empty()) return;
  QStringList words{data->laneName(*lane)};
  if (data->replicaOf(*lane) >= 0) words << replicaName(data->replicaOf(*lane));
  if (arrangement.isCollapsed(*lane)) words << TimelineView::tr("collapsed");
  if (arrangement.isPinned(*lane)) words << TimelineView::tr("pinned");
  view.setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void TimelineView::Impl::moveLane(int direction) {
  const auto lane = currentLane();
  RowArrangement next = arrangement;
  if (lane && next.moveBy(*lane, direction, static_cast<int>(data->trace().lanes.size()))) arrange(std::move(next));
}

bool TimelineView::Impl::inHeaders(QPointF point) const { return !empty() && layout().headers.contains(point); }

std::optional<int> TimelineView::Impl::laneAt(QPointF point) const {
  if (empty()) return {};
  const TimelineLayout placed = layout();
  const LaneBox* lane = placed.laneAt(point.y());
  return lane && lane->lane >= 0 ? std::optional(lane->lane) : std::nullopt;
}

void TimelineView::Impl::toggleReplica(int replica) {
  std::vector<int> lanes;
  for (int lane = 0; lane < static_cast<int>(data->trace().lanes.size()); ++lane)
    if (data->replicaOf(lane) == replica) lanes.push_back(lane);
  RowArrangement next = arrangement;
  next.toggleCollapse(lanes);
  arrange(std::move(next));
}

bool TimelineView::Impl::pressHeader(QPointF point) {
  if (inHeaders(point)) {
    const TimelineLayout placed = layout();
    if (const ReplicaBand* const band = placed.bandAt(point.y())) return toggleReplica(band->replica), true;
  }
  const auto lane = inHeaders(point) ? laneAt(point) : std::nullopt;
  if (!lane) return false;
  const TimelineLayout placed = layout();
  const LaneBox& box = *placed.boxOfLane(*lane);
  chooseLane(lane);
  if (triangleOf(box).contains(point)) {
    view.collapseLane();
  } else if (pinOf(box).contains(point)) {
    view.pinLane();
  } else {
    drag = Drag::HeaderPressed;
    pressed_at = point;
  }
  return true;
}

void TimelineView::Impl::dragHeader(QPointF point) {
  if (drag == Drag::HeaderPressed && std::abs(point.y() - pressed_at.y()) >= kDragFrom) {
    drag = Drag::MovingLane;
    view.setCursor(Qt::ClosedHandCursor);
  }
  view.update();
}

void TimelineView::Impl::dropHeader(QPointF point) {
  const auto lane = std::exchange(drag, Drag::None) == Drag::MovingLane ? currentLane() : std::nullopt;
  view.unsetCursor();
  if (!lane) return;
  RowArrangement next = arrangement;
  next.moveBefore(*lane, dropPlace(layout(), *lane, point.y()).next, static_cast<int>(data->trace().lanes.size()));
  arrange(std::move(next));
  view.update();
}

void TimelineView::Impl::leaveHeader() {
  drag = Drag::None;
  view.unsetCursor();
  view.update();
}

void TimelineView::Impl::hoverHeader(QPointF point) {
  const auto lane = inHeaders(point) ? laneAt(point) : std::nullopt;
  const bool changed = std::exchange(hovered_lane, lane) != lane;
  if (empty()) return;
  if (changed || arrangement.shows(RowKind::Counters)) view.update(layout().headers.toAlignedRect());
}

void TimelineView::Impl::showCounter(QPointF point) {
  QString sentence;
  const TimelineLayout placed = empty() ? TimelineLayout() : layout();
  const CounterBox* box = placed.counterAt(point.y());
  if (box && placed.body.contains(point)) {
    const CounterRow& counter = data->counters()[box->counter];
    const Nanoseconds time = placed.scale(navigation.visible()).time(point.x());
    const QString name = counter.lane() < 0
                             ? counter.name()
                             : TimelineView::tr("%1 of %2").arg(counter.name(), data->laneName(counter.lane()));
    const auto value = counter.at(time);
    const auto seen = counter.within(navigation.visible());
    if (value && seen)
      sentence = TimelineView::tr("%1: %2  ·  in sight %3 to %4")
                     .arg(name, counter.text(*value), counter.text(seen->least), counter.text(seen->greatest));
  }
  if (std::exchange(told_counter, sentence) != sentence) Q_EMIT view.hoverChanged(sentence);
}

QString TimelineView::Impl::headerTip(QPointF point) const {
  if (!inHeaders(point)) return {};
  const TimelineLayout placed = layout();
  if (const ReplicaBand* const band = placed.bandAt(point.y())) {
    QStringList lanes;
    for (const int lane : band->lanes) lanes << data->laneName(lane);
    const QString told =
        TimelineView::tr("%1 of the model on %2").arg(replicaName(band->replica), lanes.join(QStringLiteral(", ")));
    return told + (band->collapsed ? TimelineView::tr(". A click shows all rows of its lanes (Shift+C)")
                                   : TimelineView::tr(". A click shows its lanes thin (Shift+C)"));
  }
  if (const auto lane = laneAt(point)) {
    const LaneBox& box = *placed.boxOfLane(*lane);
    if (triangleOf(box).contains(point))
      return box.collapsed ? TimelineView::tr("Show all rows of the lane (C)")
                           : TimelineView::tr("Show the lane thin (C)");
    if (pinOf(box).contains(point))
      return box.pinned ? TimelineView::tr("Let the lane scroll (P)")
                        : TimelineView::tr("Keep the lane at the top (P)");
    if (box.title.contains(point)) {
      const QString device = data->laneDevice(*lane);
      const QString name =
          device.isEmpty() ? data->laneName(*lane) : TimelineView::tr("%1 (%2)").arg(data->laneName(*lane), device);
      return TimelineView::tr("%1. Drag it to another place (Ctrl+Up, Ctrl+Down)").arg(name);
    }
  }
  if (const CounterBox* box = placed.counterAt(point.y())) return data->counters()[box->counter].name();
  const auto row = placed.rowAt(point.y());
  return row ? data->rowName(*row) : QString();
}

/// The kinds of rows that the trace has, and what can be done to the current lane.
void TimelineView::Impl::fillRowsMenu(QMenu& menu) {
  const auto add = [&](const QString& text, bool enabled, void (TimelineView::*slot)()) {
    menu.addAction(text, &view, slot)->setEnabled(enabled);
  };
  const auto lane = currentLane();
  const bool any = lane.has_value();
  add(any && arrangement.isCollapsed(*lane) ? TimelineView::tr("&Expand the lane\tC")
                                            : TimelineView::tr("&Collapse the lane\tC"),
      any, &TimelineView::collapseLane);
  if (lane && data->replicaOf(*lane) >= 0)
    add(TimelineView::tr("Collapse or expand the &replica\tShift+C"), true, &TimelineView::collapseReplica);
  add(any && arrangement.isPinned(*lane) ? TimelineView::tr("Un&pin the lane\tP")
                                         : TimelineView::tr("&Pin the lane\tP"),
      any, &TimelineView::pinLane);
  add(TimelineView::tr("Move the lane &up\tCtrl+Up"), any, &TimelineView::moveLaneUp);
  add(TimelineView::tr("Move the lane &down\tCtrl+Down"), any, &TimelineView::moveLaneDown);
  menu.addSeparator();
  add(TimelineView::tr("Collapse &all"), true, &TimelineView::collapseLanes);
  add(TimelineView::tr("E&xpand all"), true, &TimelineView::expandLanes);
  add(TimelineView::tr("Lanes as at &first"), arrangement.arrangesLanes(), &TimelineView::forgetLanes);
  menu.addSeparator();
  const std::array<std::pair<RowKind, QString>, 7> kinds = {
      {{RowKind::Blocks, TimelineView::tr("&Blocks")},
       {RowKind::Operators, TimelineView::tr("&Operators")},
       {RowKind::Transfers, TimelineView::tr("&Transfers")},
       {RowKind::Exchange, TimelineView::tr("&Exchange of replicas")},
       {RowKind::HostThreads, TimelineView::tr("&Host threads")},
       {RowKind::Streams, TimelineView::tr("&Streams")},
       {RowKind::Counters, TimelineView::tr("Cou&nters")}}};
  for (const auto& [kind, text] : kinds) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(arrangement.shows(kind));
    QObject::connect(action, &QAction::toggled, &view, [this, kind = kind](bool on) {
      RowArrangement next = arrangement;
      next.show(kind, on);
      arrange(std::move(next));
    });
  }
}

HeaderMarks TimelineView::Impl::headerMarks(const TimelineLayout& placed) const {
  HeaderMarks header{true, selected_busy, currentLane(), hovered_lane, {}, {}};
  if (marks.pointer && placed.body.contains(*marks.pointer))
    header.time = placed.scale(navigation.visible()).time(marks.pointer->x());
  if (drag == Drag::MovingLane && marks.pointer && currentLane())
    header.drop_line = dropPlace(placed, *currentLane(), marks.pointer->y()).y;
  return header;
}

const RowArrangement& TimelineView::arrangement() const { return m_impl->arrangement; }
void TimelineView::setArrangement(RowArrangement arrangement) { m_impl->arrange(std::move(arrangement)); }
std::optional<int> TimelineView::currentLane() const { return m_impl->currentLane(); }

void TimelineView::collapseLane() {
  const auto lane = currentLane();
  if (!lane) return;
  RowArrangement next = arrangement();
  next.collapse(*lane, !next.isCollapsed(*lane));
  m_impl->arrange(std::move(next));
}

void TimelineView::collapseReplica() {
  const auto lane = currentLane();
  if (lane && m_impl->data->replicaOf(*lane) >= 0) m_impl->toggleReplica(m_impl->data->replicaOf(*lane));
}

void TimelineView::pinLane() {
  const auto lane = currentLane();
  if (!lane) return;
  RowArrangement next = arrangement();
  next.pin(*lane, !next.isPinned(*lane));
  m_impl->arrange(std::move(next));
}

void TimelineView::moveLaneUp() { m_impl->moveLane(-1); }
void TimelineView::moveLaneDown() { m_impl->moveLane(+1); }

void TimelineView::collapseLanes() {
  if (m_impl->empty()) return;
  RowArrangement next = arrangement();
  next.collapseAll(static_cast<int>(m_impl->data->trace().lanes.size()), true);
  m_impl->arrange(std::move(next));
}

void TimelineView::expandLanes() {
  if (m_impl->empty()) return;
  RowArrangement next = arrangement();
  next.collapseAll(static_cast<int>(m_impl->data->trace().lanes.size()), false);
  m_impl->arrange(std::move(next));
}

void TimelineView::forgetLanes() {
  RowArrangement next = arrangement();
  next.forgetLanes();
  m_impl->arrange(std::move(next));
}

}  // namespace lanelab
