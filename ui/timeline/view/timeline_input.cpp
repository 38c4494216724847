// SPDX-License-Identifier: GPL-3.0-only
// What mouse and keys do in a TimelineView.
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/view/timeline_state.h"

namespace lanelab {
namespace {

constexpr double kKeyZoom = 1.5;
constexpr double kWheelZoom = 1.2;   // per notch of 120
constexpr double kKeyPan = 0.15;     // of what is seen
constexpr double kHitTolerance = 2;  // pixels
constexpr double kSpanMargin = 0.5;  // around a span that is zoomed to

/// Keys without Ctrl or Alt that the view takes before any shortcut of the window does.
bool isOwnKey(const QKeyEvent& event) {
  if (event.modifiers() & (Qt::AltModifier | Qt::MetaModifier)) return false;
  if (event.modifiers() & Qt::ControlModifier) {
    return event.key() == Qt::Key_Left || event.key() == Qt::Key_Right || event.key() == Qt::Key_Up ||
           event.key() == Qt::Key_Down;
  }
  switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_A:
    case Qt::Key_S:
    case Qt::Key_D:
    case Qt::Key_F:
    case Qt::Key_C:
    case Qt::Key_P:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_Minus:
    case Qt::Key_Home:
    case Qt::Key_Period:
    case Qt::Key_Comma:
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Backspace:
    case Qt::Key_Escape:
    case Qt::Key_Space:
    case Qt::Key_BracketLeft:
    case Qt::Key_BracketRight:
    case Qt::Key_Slash: return true;
    default: return false;
  }
}

}  // namespace

void TimelineView::Impl::movedByHand() { setFollow(false); }

void TimelineView::Impl::zoomBy(double factor) {
  const TimeRange before = navigation.visible();
  const bool at_pointer = marks.pointer && layout().body.contains(*marks.pointer);
  navigation.zoomAt(at_pointer ? scale().time(marks.pointer->x()) : before.start + before.length() / 2, factor);
  movedByHand();
  viewChanged(before);
}

void TimelineView::Impl::zoomToFocus() {
  if (empty()) return;
  if (marks.selection) {
    view.setVisibleRange(*marks.selection);
  } else if (marks.current) {
    view.setVisibleRange(widened(data->span(*marks.current).range(), kSpanMargin));
  }
}

void TimelineView::Impl::stepSpan(int direction) {
  if (empty()) return;
  SpanRef next;
  if (marks.current) {
    next = *marks.current;
    if (direction < 0 && next.position == 0) return;
    next.position += static_cast<std::size_t>(direction);
    if (next.position >= data->rows()[next.row].spans.size()) return;
  } else {
    const TimelineLayout placed = layout();
    const auto box = std::find_if(placed.rows.begin(), placed.rows.end(), [this](const RowBox& candidate) {
      const Row& row = data->rows()[candidate.row];
      return !row.spans.empty() && (!chosen_lane || row.lane == *chosen_lane);
    });
    if (box == placed.rows.end()) return;
    next.row = box->row;
    const Row& row = data->rows()[next.row];
    const RowSlice seen = visibleSpans(row, data->track(row), navigation.visible());
    if (seen.first == seen.last) return;
    next.position = direction > 0 ? seen.first : seen.last - 1;
  }
  const TimeRange before = navigation.visible();
  navigation.reveal(data->span(next).range());
  movedByHand();
  viewChanged(before);
  setCurrent(next);
}

void TimelineView::Impl::stepRow(int direction) {
  if (empty()) return;
  if (!marks.current) return scrollTo(scroll + direction * vertical->singleStep());
  const auto [kind, depth] = std::pair(data->rows()[marks.current->row].kind, data->rows()[marks.current->row].depth);
  const Span from = data->span(*marks.current);
  const Nanoseconds middle = from.start + from.range().length() / 2;
  const TimelineLayout placed = layout();
  const auto count = static_cast<std::ptrdiff_t>(placed.rows.size());
  const RowBox* here = placed.boxOf(marks.current->row);
  if (!here) return;
  for (auto box = here - placed.rows.data() + direction; box >= 0 && box < count; box += direction) {
    const std::size_t index = placed.rows[static_cast<std::size_t>(box)].row;
    const Row& candidate = data->rows()[index];
    if (candidate.spans.empty() || candidate.kind != kind || candidate.depth != depth) continue;
    const RowSlice later = visibleSpans(candidate, data->track(candidate), {middle, middle + 1});
    setCurrent(SpanRef{index, std::min(later.first, candidate.spans.size() - 1)});
    return;
  }
}

std::optional<SpanRef> TimelineView::Impl::spanAt(QPointF point) const {
  if (empty()) return {};
  const TimelineLayout placed = layout();
  const auto row = placed.rowAt(point.y());
  if (!row || point.x() < placed.body.left() || point.x() >= placed.body.right()) return {};
  const TimeScale time_scale = placed.scale(navigation.visible());
  return data->spanAt(*row, time_scale.time(point.x()), std::llround(time_scale.nanosecondsPerPixel() * kHitTolerance));
}

void TimelineView::wheelEvent(QWheelEvent* event) {
  if (m_impl->empty()) return event->ignore();
  const QPointF at = event->position();
  QPoint delta = event->angleDelta();
  const TimelineLayout placed = m_impl->layout();
  if (at.x() < placed.body.left() && delta.y() != 0) {
    m_impl->scrollTo(m_impl->scroll - delta.y() / 4.0);
  } else if (delta.x() != 0 || event->modifiers() & Qt::ShiftModifier) {
    const TimeRange before = visibleRange();
    const int notches = delta.x() != 0 ? delta.x() : delta.y();
    m_impl->navigation.pan(-std::llround(static_cast<double>(before.length()) * kKeyPan * notches / 120));
    m_impl->movedByHand();
    m_impl->viewChanged(before);
  } else if (delta.y() != 0) {
    m_impl->marks.pointer = at;
    m_impl->zoomBy(std::pow(kWheelZoom, -delta.y() / 120.0));
  }
  m_impl->marks.pointer = at;
  m_impl->setHovered(m_impl->spanAt(at));
  event->accept();
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (m_impl->empty()) return;
  const TimelineLayout placed = m_impl->layout();
  const bool panning = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_impl->space_down);
  if (!panning && event->button() == Qt::LeftButton && m_impl->pressHeader(event->position())) return;
  if ((!panning && event->button() != Qt::LeftButton) || event->position().x() < placed.body.left()) return;
  m_impl->drag = panning ? Impl::Drag::Panning : Impl::Drag::Pressed;
  m_impl->pressed_at = event->position();
  m_impl->pressed_time = m_impl->scale().time(event->position().x());
  m_impl->pressed_range = visibleRange();
  m_impl->selection_before = selection();
  if (panning) setCursor(Qt::ClosedHandCursor);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (m_impl->empty()) return;
  const QPointF at = event->position();
  m_impl->marks.pointer = at;
  m_impl->hoverHeader(at);
  if (m_impl->drag == Impl::Drag::HeaderPressed || m_impl->drag == Impl::Drag::MovingLane)
    return m_impl->dragHeader(at);
  if (m_impl->drag == Impl::Drag::Pressed && std::abs(at.x() - m_impl->pressed_at.x()) >= kDragFrom)
    m_impl->drag = Impl::Drag::Selecting;
  if (m_impl->drag == Impl::Drag::Selecting) {
    const TimelineLayout placed = m_impl->layout();
    const Nanoseconds now = m_impl->scale().time(std::clamp(at.x(), placed.body.left(), placed.body.right()));
    m_impl->setHovered({});
    m_impl->setSelection(TimeRange{std::min(now, m_impl->pressed_time), std::max(now, m_impl->pressed_time)});
  } else if (m_impl->drag == Impl::Drag::Panning) {
    const TimeRange before = visibleRange();
    const double moved = (m_impl->pressed_at.x() - at.x()) * m_impl->scale().nanosecondsPerPixel();
    m_impl->navigation.moveTo(m_impl->pressed_range.start + std::llround(moved));
    m_impl->movedByHand();
    m_impl->viewChanged(before);
  } else {
    m_impl->setHovered(m_impl->spanAt(at));
    m_impl->showCounter(at);
  }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
  if (m_impl->drag == Impl::Drag::Pressed && event->button() == Qt::LeftButton) {
    setSelection({});
    m_impl->setCurrent(m_impl->spanAt(event->position()));
  }
  if (m_impl->drag == Impl::Drag::MovingLane) m_impl->dropHeader(event->position());
  m_impl->drag = Impl::Drag::None;
  if (!m_impl->space_down) unsetCursor();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_impl->empty()) return;
  if (m_impl->pressHeader(event->position())) return;  // two quick clicks on a triangle are two clicks
  if (const auto bookmark = m_impl->bookmarkAt(event->position())) {
    setSelection(m_impl->bookmarks[*bookmark].range);
    return zoomToSelection();
  }
  const Nanoseconds time = m_impl->scale().time(event->position().x());
  if (const auto span = m_impl->spanAt(event->position())) {
    m_impl->setCurrent(span);
    setVisibleRange(widened(m_impl->data->span(*span).range(), kSpanMargin));
  } else if (selection() && selection()->start <= time && time < selection()->end) {
    zoomToSelection();
  }
}

void TimelineView::leaveEvent(QEvent*) {
  m_impl->marks.pointer.reset();
  m_impl->hoverHeader({-1, -1});
  m_impl->setHovered({});
  m_impl->showCounter({-1, -1});
}

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isOwnKey(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  if (event->type() == QEvent::ToolTip) {
    const auto& help = *static_cast<QHelpEvent*>(event);
    QString tip = m_impl->headerTip(help.pos());
    if (const auto bookmark = m_impl->bookmarkAt(help.pos())) tip = m_impl->bookmarks[*bookmark].name;
    tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help.globalPos(), tip, this);
    return true;
  }
  return QWidget::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  if (m_impl->empty() || !isOwnKey(*event)) return QWidget::keyPressEvent(event);
  const auto panBy = [this](double share) {
    const TimeRange before = visibleRange();
    m_impl->navigation.pan(std::llround(static_cast<double>(before.length()) * share));
    m_impl->movedByHand();
    m_impl->viewChanged(before);
  };
  const bool control = event->modifiers() & Qt::ControlModifier;
  switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: return m_impl->zoomBy(1 / kKeyZoom);
    case Qt::Key_S:
    case Qt::Key_Minus: return m_impl->zoomBy(kKeyZoom);
    case Qt::Key_A: return panBy(-kKeyPan);
    case Qt::Key_D: return panBy(kKeyPan);
    case Qt::Key_Left: return control ? previousStep() : panBy(-kKeyPan);
    case Qt::Key_Right: return control ? nextStep() : panBy(kKeyPan);
    case Qt::Key_Up: return control ? moveLaneUp() : m_impl->stepRow(-1);
    case Qt::Key_Down: return control ? moveLaneDown() : m_impl->stepRow(+1);
    case Qt::Key_C: return event->modifiers() & Qt::ShiftModifier ? collapseReplica() : collapseLane();
    case Qt::Key_P: return pinLane();
    case Qt::Key_Period: return m_impl->stepSpan(+1);
    case Qt::Key_Comma: return m_impl->stepSpan(-1);
    case Qt::Key_Home:
    case Qt::Key_F: return fit();
    case Qt::Key_Return:
    case Qt::Key_Enter: return zoomToSelection();
    case Qt::Key_Backspace: return previousZoom();
    case Qt::Key_BracketLeft: return goToWaitedOn();
    case Qt::Key_BracketRight: return goToWaiting();
    case Qt::Key_Slash: Q_EMIT findRequested(); return;
    case Qt::Key_Space: m_impl->space_down = true; return setCursor(Qt::OpenHandCursor);
    default: break;
  }
  if (m_impl->drag == Impl::Drag::Selecting) {
    m_impl->drag = Impl::Drag::None;
    return setSelection(m_impl->selection_before);
  }
  if (m_impl->drag == Impl::Drag::MovingLane) return m_impl->leaveHeader();
  setSelection({});
  m_impl->setCurrent({});
  m_impl->chooseLane({});
}

void TimelineView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  m_impl->space_down = false;
  if (m_impl->drag == Impl::Drag::None) unsetCursor();
}

void TimelineView::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

void TimelineView::focusOutEvent(QFocusEvent* event) {
  m_impl->space_down = false;
  QWidget::focusOutEvent(event);
  update();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
  if (m_impl->empty()) return;
  const auto span = event->reason() == QContextMenuEvent::Mouse ? m_impl->spanAt(event->pos()) : m_impl->marks.current;
  if (span) m_impl->setCurrent(span);
  QMenu menu(this);
  if (event->reason() == QContextMenuEvent::Mouse && m_impl->inHeaders(event->pos())) {
    m_impl->chooseLane(m_impl->laneAt(event->pos()));
    m_impl->fillRowsMenu(menu);
    menu.exec(event->globalPos());
    return;
  }
  menu.addAction(tr("Zoom to the &selection\tEnter"), this, &TimelineView::zoomToSelection)
      ->setEnabled(m_impl->marks.selection || m_impl->marks.current);
  menu.addAction(tr("&Previous zoom\tBackspace"), this, &TimelineView::previousZoom);
  menu.addAction(tr("&Fit everything\tHome"), this, &TimelineView::fit);
  menu.addSeparator();
  menu.addAction(tr("Go to what it &waited on\t["), this, &TimelineView::goToWaitedOn)
      ->setEnabled(m_impl->marks.current.has_value());
  menu.addAction(tr("Go to what waited on &it\t]"), this, &TimelineView::goToWaiting)
      ->setEnabled(m_impl->marks.current.has_value());
  menu.addAction(tr("Fi&nd...\t/"), this, &TimelineView::findRequested);
  menu.addAction(tr("&Keep the selection as a bookmark\tCtrl+B"), this, &TimelineView::bookmarkRequested)
      ->setEnabled(m_impl->marks.selection.has_value());
  menu.addSeparator();
  QAction* details = menu.addAction(tr("Show &blocks"), this, &TimelineView::setShowDetails);
  details->setCheckable(true);
  details->setChecked(showsDetails());
  m_impl->fillRowsMenu(*menu.addMenu(tr("&Rows")));
  QAction* copy = menu.addAction(tr("&Copy what is known of the span"), this, [this] {
    QApplication::clipboard()->setText(m_impl->sentenceOf(*m_impl->marks.current));
  });
  copy->setEnabled(m_impl->marks.current.has_value());
  menu.exec(event->globalPos());
}

}  // namespace lanelab
