// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/schedule_view.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "engine/schedule/dependencies.h"
#include "ui/look/parts.h"
#include "ui/look/theme.h"
#include "ui/schedule/schedule_picture.h"

namespace lanelab {
namespace {

constexpr int kMostHeader = 140;

/// I and B of one micro-batch are the same dependency, whichever of them the row has.
bool sameResult(const Action& a, const Action& b) {
  const auto phase = [](ActionKind kind) { return kind == ActionKind::BackwardInput ? ActionKind::Backward : kind; };
  return a.stage == b.stage && a.micro_batch == b.micro_batch && phase(a.kind) == phase(b.kind);
}

}  // namespace

ScheduleView::ScheduleView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Order of the actions, one row per lane"));
  viewport()->setMouseTracking(true);
  updateMetrics();
}

QSize ScheduleView::sizeHint() const { return {480, m_axis + 2 * m_row + 2 * look::kGrid}; }
QSize ScheduleView::minimumSizeHint() const { return {160, m_axis + 2 * m_row}; }

void ScheduleView::setShown(std::optional<ShownSchedule> shown) {
  const std::optional<Action> kept = chosen();
  m_shown = std::move(shown);
  m_preview.reset();
  m_drag.reset();
  layOut();
  m_chosen.reset();
  if (kept) m_chosen = placeOf(*kept);
  updateMetrics();
  updateScrollBars();
  speak();
  Q_EMIT chosenChanged();
}

void ScheduleView::setReadOnly(bool read_only) {
  m_read_only = read_only;
  if (read_only) endDrag();
}

/// Also says what is broken now, so that the sentence and the red cells are always of one moment.
void ScheduleView::layOut() {
  m_grid = m_shown ? layOutSchedule(drawnSchedule()) : ScheduleGrid{};
  viewport()->update();
  const QString broken = brokenSentence();
  if (broken == m_broken) return;
  m_broken = broken;
  Q_EMIT brokenChanged();
}

void ScheduleView::updateMetrics() {
  const QFontMetrics words(look::smallFont());
  int text = words.horizontalAdvance(QStringLiteral("0F0"));
  m_header = 0;
  if (m_shown) {
    for (const auto& row : m_shown->schedule.lanes)
      for (const Action& action : row)
        text = std::max(text, words.horizontalAdvance(QString::fromStdString(toString(action))));
    const QFontMetrics names(look::textFont());
    for (const QString& name : m_shown->lane_names) m_header = std::max(m_header, names.horizontalAdvance(name));
  }
  m_header = std::min(m_header, kMostHeader) + 4 * look::kGrid;
  m_column = text + 3 * look::kGrid;
  m_row = words.height() + 4 * look::kGrid;
  m_axis = words.height() + look::kGrid;
}

void ScheduleView::updateScrollBars() {
  const int width = m_header + static_cast<int>(m_grid.columns) * m_column + look::kGrid;
  const int height = m_axis + static_cast<int>(m_grid.lanes.size()) * m_row;
  look::setScrollRange(*this, {width, height}, {m_column, m_row});
}

QRect ScheduleView::cellRect(std::size_t lane, std::size_t index) const {
  const GridCell& cell = m_grid.lanes[lane][index];
  const int x = m_header + static_cast<int>(cell.start) * m_column - horizontalScrollBar()->value();
  const int y = m_axis + static_cast<int>(lane) * m_row - verticalScrollBar()->value();
  return {x + 1, y + look::kGrid / 2, static_cast<int>(cell.length) * m_column - 2, m_row - look::kGrid};
}

template <class Test>
std::optional<ScheduleView::Place> ScheduleView::findCell(Test test) const {
  for (std::size_t lane = 0; lane < m_grid.lanes.size(); ++lane)
    for (std::size_t i = 0; i < m_grid.lanes[lane].size(); ++i)
      if (test(Place{lane, i})) return Place{lane, i};
  return std::nullopt;
}

std::optional<ScheduleView::Place> ScheduleView::placeAt(QPoint pixel) const {
  if (pixel.x() < m_header || pixel.y() < m_axis) return std::nullopt;
  return findCell([&](Place place) { return cellRect(place.lane, place.index).contains(pixel); });
}

std::optional<ScheduleView::Place> ScheduleView::placeOf(const Action& action) const {
  return findCell([&](Place place) { return sameResult(m_grid.lanes[place.lane][place.index].action, action); });
}

void ScheduleView::choose(std::size_t lane, std::size_t index) {
  if (lane >= m_grid.lanes.size() || index >= m_grid.lanes[lane].size()) return;
  m_chosen = Place{lane, index};
  reveal(*m_chosen);
  viewport()->update();
  speak();
  Q_EMIT chosenChanged();
}

std::optional<Action> ScheduleView::chosen() const {
  if (!m_chosen) return std::nullopt;
  return m_grid.lanes[m_chosen->lane][m_chosen->index].action;
}

void ScheduleView::reveal(Place place) {
  const QRect cell = cellRect(place.lane, place.index);
  if (cell.left() < m_header)
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + cell.left() - m_header - m_column);
  if (cell.right() > viewport()->width())
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() + cell.right() - viewport()->width() + m_column);
  if (cell.top() < m_axis) verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.top() - m_axis);
  if (cell.bottom() > viewport()->height())
    verticalScrollBar()->setValue(verticalScrollBar()->value() + cell.bottom() - viewport()->height());
}

/// The action as the plan spells it: what waits for a backward does not know whether that is split.
QString ScheduleView::written(const Action& action) const {
  const auto place = placeOf(action);
  return QString::fromStdString(toString(place ? m_grid.lanes[place->lane][place->index].action : action));
}

QString ScheduleView::sentenceOf(Place place) const {
  const GridCell& cell = m_grid.lanes[place.lane][place.index];
  const QString name = QString::fromStdString(toString(cell.action));
  const QString kind = cell.action.kind == ActionKind::Forward         ? tr("forward")
                       : cell.action.kind == ActionKind::Backward      ? tr("backward")
                       : cell.action.kind == ActionKind::BackwardInput ? tr("input part of the backward")
                                                                       : tr("weight part of the backward");
  if (cell.missing) {
    const auto holder = placeOf(*cell.missing);
    const QString wanted = written(*cell.missing);
    if (!holder) return tr("%1 waits for %2, which is not in the plan.").arg(name, wanted);
    if (holder->lane == place.lane)
      return tr("%1 waits for %2, which comes later on the same lane: move one past the other.").arg(name, wanted);
    return tr("%1 waits for %2 on %3, which waits for what this lane does later: move one of them.")
        .arg(name, wanted, m_shown->lane_names[holder->lane]);
  }
  return tr("%1: %2 of micro-batch %3 on stage %4, number %5 of %6 on %7")
      .arg(name, kind)
      .arg(cell.action.micro_batch.value)
      .arg(cell.action.stage.value)
      .arg(place.index + 1)
      .arg(m_grid.lanes[place.lane].size())
      .arg(m_shown->lane_names[place.lane]);
}

QString ScheduleView::brokenSentence() const {
  const auto broken = findCell([&](Place place) { return m_grid.lanes[place.lane][place.index].missing.has_value(); });
  return broken ? sentenceOf(*broken) : QString();
}

/// A screen reader hears the chosen cell as the view's description, or what all of it is.
void ScheduleView::speak() {
  const QString sentence = m_chosen ? sentenceOf(*m_chosen) : m_shown ? scheduleWords(*m_shown, m_grid) : QString();
  if (sentence != accessibleDescription()) setAccessibleDescription(sentence);
}

std::size_t ScheduleView::dropIndex(const Drag& drag, int x) const {
  std::size_t before = 0;
  const ScheduleGrid still =
      layOutSchedule(m_shown->schedule);  // a preview's cells would run away from under the pointer
  const auto& row = still.lanes[drag.from.lane];
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double middle = m_header +
                          (static_cast<double>(row[i].start) + static_cast<double>(row[i].length) / 2) * m_column -
                          horizontalScrollBar()->value();
    if (i != drag.from.index && middle < x) ++before;
  }
  return before;
}

void ScheduleView::showPreview(std::size_t to) {
  m_drag->to = to;
  m_preview = withActionMoved(m_shown->schedule, m_drag->from.lane, m_drag->from.index, to);
  m_chosen = Place{m_drag->from.lane, to};
  layOut();
}

void ScheduleView::endDrag() {
  if (!m_drag) return;
  const Place from = m_drag->from;
  const bool moved = m_preview.has_value();
  m_drag.reset();
  m_preview.reset();
  viewport()->unsetCursor();
  if (!moved) return;
  m_chosen = from;
  layOut();
  updateScrollBars();
}

void ScheduleView::mousePressEvent(QMouseEvent* event) {
  const auto place = event->button() == Qt::LeftButton ? placeAt(event->pos()) : std::nullopt;
  if (!place) return QAbstractScrollArea::mousePressEvent(event);
  choose(place->lane, place->index);
  if (canEdit()) m_drag = Drag{*place, place->index, event->pos(), false};
}

void ScheduleView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_drag) {
    const bool draggable = canEdit() && placeAt(event->pos());
    viewport()->setCursor(draggable ? Qt::OpenHandCursor : Qt::ArrowCursor);
    return;
  }
  if (!m_drag->moving && (event->pos() - m_drag->start).manhattanLength() < look::kGrid) return;
  m_drag->moving = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  const std::size_t to = dropIndex(*m_drag, event->pos().x());
  if (to != m_drag->to || !m_preview) showPreview(to);
}

void ScheduleView::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_drag || event->button() != Qt::LeftButton) return QAbstractScrollArea::mouseReleaseEvent(event);
  const Drag drag = *m_drag;
  const QString name = QString::fromStdString(toString(m_shown->schedule.lanes[drag.from.lane][drag.from.index]));
  endDrag();
  if (drag.moving && drag.to != drag.from.index)
    Q_EMIT editRequested(withActionMoved(m_shown->schedule, drag.from.lane, drag.from.index, drag.to),
                         tr("move %1").arg(name));
}

void ScheduleView::moveChosen(int by) {
  if (!m_chosen || !canEdit()) return;
  const auto count = static_cast<std::ptrdiff_t>(m_grid.lanes[m_chosen->lane].size());
  const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(m_chosen->index) + by;
  if (to < 0 || to >= count) return;
  const QString name = QString::fromStdString(toString(*chosen()));
  Q_EMIT editRequested(
      withActionMoved(m_shown->schedule, m_chosen->lane, m_chosen->index, static_cast<std::size_t>(to)),
      tr("move %1").arg(name));
}

void ScheduleView::splitOrJoinChosen() {
  if (!m_chosen || !canEdit() || chosen()->kind == ActionKind::Forward) return;
  const bool whole = chosen()->kind == ActionKind::Backward;
  const QString name = QString::fromStdString(toString(*chosen()));
  Q_EMIT editRequested(withBackwardSplitOrJoined(m_shown->schedule, m_chosen->lane, m_chosen->index),
                       whole ? tr("split %1").arg(name) : tr("join the parts of %1").arg(name));
}

void ScheduleView::walk(int lanes, int cells) {
  if (!m_chosen) {
    if (const auto first = findCell([](Place) { return true; })) choose(first->lane, first->index);
    return;
  }
  const auto& row = m_grid.lanes[m_chosen->lane];
  const auto index = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(m_chosen->index) + cells, 0,
                                                static_cast<std::ptrdiff_t>(row.size()) - 1);
  if (lanes == 0) return choose(m_chosen->lane, static_cast<std::size_t>(index));
  const std::int64_t column = row[m_chosen->index].start;
  for (auto lane = static_cast<std::ptrdiff_t>(m_chosen->lane) + lanes;
       lane >= 0 && lane < static_cast<std::ptrdiff_t>(m_grid.lanes.size()); lane += lanes) {
    const auto& other = m_grid.lanes[static_cast<std::size_t>(lane)];
    if (other.empty()) continue;
    const auto after = std::ranges::find_if(other, [&](const GridCell& cell) { return cell.end() > column; });
    return choose(static_cast<std::size_t>(lane),
                  static_cast<std::size_t>(std::min(after, other.end() - 1) - other.begin()));
  }
}

void ScheduleView::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() & Qt::ControlModifier;
  constexpr int kAll = 1 << 30;
  switch (event->key()) {
    case Qt::Key_Left: return control ? moveChosen(-1) : walk(0, -1);
    case Qt::Key_Right: return control ? moveChosen(1) : walk(0, 1);
    case Qt::Key_Up: return walk(-1, 0);
    case Qt::Key_Down: return walk(1, 0);
    case Qt::Key_Home: return walk(0, -kAll);
    case Qt::Key_End: return walk(0, kAll);
    case Qt::Key_S: return splitOrJoinChosen();
    case Qt::Key_Escape: return m_drag ? endDrag() : QAbstractScrollArea::keyPressEvent(event);
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
}

void ScheduleView::focusInEvent(QFocusEvent* event) {
  if (!m_chosen) walk(0, 0);
  viewport()->update();
  QAbstractScrollArea::focusInEvent(event);
}

void ScheduleView::focusOutEvent(QFocusEvent* event) {
  viewport()->update();
  QAbstractScrollArea::focusOutEvent(event);
}

bool ScheduleView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto place = placeAt(help->pos());
  if (place) QToolTip::showText(help->globalPos(), sentenceOf(*place), viewport(), cellRect(place->lane, place->index));
  if (!place) QToolTip::hideText();
  return true;
}

void ScheduleView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  updateScrollBars();
}

void ScheduleView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    updateMetrics();
    updateScrollBars();
    viewport()->update();
  }
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace lanelab
