// SPDX-License-Identifier: GPL-3.0-only
#include "ui/levels/level_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "ui/look/parts.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kMostColumn = 12 * look::kGrid;
constexpr int kMostRow = 12 * look::kGrid;
constexpr int kRoomyRow = 10 * look::kGrid;  ///< of a board with room to spare, whose tray is larger, too
constexpr int kRoomyTray = 6 * look::kGrid;
constexpr int kBetweenChips = 2;
constexpr int kBeforeTrays = look::kGrid;
constexpr std::int64_t kSpareColumns = 2;  ///< behind par

int widthOf(const QFontMetrics& words, const Action& action) {
  return words.horizontalAdvance(QString::fromStdString(toString(action)));
}

}  // namespace

LevelView::LevelView(QWidget* parent) : QAbstractScrollArea(parent), m_board(levels().front()) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(tr("Order that you build, one row per lane, and the actions that are still to be placed"));
  viewport()->setMouseTracking(true);
  setBoard(m_board);
}

QSize LevelView::sizeHint() const { return {480, m_axis + 4 * m_row + 5 * m_tray}; }
QSize LevelView::minimumSizeHint() const { return {160, m_axis + 2 * m_row}; }

void LevelView::setBoard(const LevelBoard& board) {
  const bool another = board.level().key != m_board.level().key;
  const std::optional<Action> before = another ? std::nullopt : pointed();
  m_board = board;
  m_par = parOf(board.level());
  m_drag.reset();
  m_hovered.reset();
  if (another) m_lane = LaneId(0);
  if (another || !m_selected || m_board.isPlaced(*m_selected)) selectPlaceable();
  layOut();
  updateScrollBars();
  if (const auto ghost = ghostRect()) reveal(*ghost);
  viewport()->update();
  if (before != pointed()) Q_EMIT pointedChanged();
}

/// The first of the lane that can be placed, else the first that is left.
void LevelView::selectPlaceable() {
  const std::vector<Action> left = unplaced(m_lane);
  const auto ready = std::ranges::find_if(left, [this](const Action& action) { return !m_board.whyNot(action); });
  m_selected = ready != left.end() ? std::optional(*ready) : left.empty() ? std::nullopt : std::optional(left.front());
}

std::vector<Action> LevelView::unplaced(LaneId lane) const {
  std::vector<Action> left;
  for (const Action& action : m_board.actionsOf(lane))
    if (!m_board.isPlaced(action)) left.push_back(action);
  return left;
}

std::optional<Action> LevelView::pointed() const {
  if (m_drag && m_drag->moving) return m_drag->action;
  return m_hovered ? m_hovered : m_selected;
}

std::int64_t LevelView::columns() const {
  std::int64_t last = std::max(m_par + kSpareColumns, m_board.step());
  if (const auto action = pointed(); action && !m_board.whyNot(*action))
    last = std::max(last, m_board.preview(*action).end);
  return last;
}

void LevelView::layOut() {
  const QFontMetrics words(look::smallFont()), names(look::bold(look::textFont()));
  int text = 0;
  for (int lane = 0; lane < lanes(); ++lane)
    for (const Action& action : m_board.actionsOf(LaneId(lane))) text = std::max(text, widthOf(words, action));
  const int squares = m_board.level().memory_limit.value_or(2) * (kStored + 2);
  m_header = names.horizontalAdvance(tr("Lane %1").arg(lanes())) + squares + 6 * look::kGrid;
  m_axis = words.height() + 2;
  const QSize room = viewport()->size();
  const auto fits = [&](int row, int trays) {
    return m_axis + lanes() * row + kBeforeTrays + trays * (m_tray + kBetweenChips) <= room.height();
  };
  m_tray = kRoomyTray;
  const bool roomy = fits(kRoomyRow, lanes());
  if (!roomy) m_tray = words.height() + look::kGrid;
  m_chip = text + (roomy ? 4 : 2) * look::kGrid;
  const int least_row = words.height();
  m_all_trays = fits(least_row, lanes());
  const int trays = kBeforeTrays + (m_all_trays ? lanes() : 1) * (m_tray + kBetweenChips);
  m_row = std::clamp((room.height() - m_axis - trays) / lanes(), least_row, kMostRow);
  const int fitting = (room.width() - m_header - look::kGrid) / static_cast<int>(columns());
  m_column = std::clamp(fitting, text + look::kGrid, kMostColumn);
}

void LevelView::updateScrollBars() {
  std::size_t chips = 0;
  for (int lane = 0; lane < lanes(); ++lane) chips = std::max(chips, m_board.actionsOf(LaneId(lane)).size());
  const int width =
      m_header + std::max(static_cast<int>(columns()) * m_column, static_cast<int>(chips) * (m_chip + kBetweenChips)) +
      look::kGrid;
  const int height = trayTop(m_all_trays ? LaneId(lanes() - 1) : m_lane) + scrolled().y() + m_tray + kBetweenChips;
  look::setScrollRange(*this, {width, height}, {m_column, m_row});
}

QPoint LevelView::scrolled() const { return {horizontalScrollBar()->value(), verticalScrollBar()->value()}; }

QRect LevelView::laneRect(LaneId lane) const {
  return {m_header - scrolled().x(), m_axis + lane.value * m_row - scrolled().y(),
          static_cast<int>(columns()) * m_column, m_row};
}

QRect LevelView::cellRect(const PlacedAction& placed) const {
  const QRect lane = laneRect(placed.lane);
  return {lane.left() + static_cast<int>(placed.start) * m_column + 1, lane.top() + 1,
          static_cast<int>(placed.end - placed.start) * m_column - 2, m_row - 2};
}

int LevelView::parX() const { return laneRect(LaneId(0)).left() + static_cast<int>(m_par) * m_column; }

int LevelView::trayTop(LaneId lane) const {
  const int before = m_all_trays ? lane.value : 0;
  return laneRect(LaneId(lanes())).top() + kBeforeTrays + before * (m_tray + kBetweenChips);
}

/// Each action has its own place, which remains empty when it is placed: the others do not move under the pointer.
std::optional<QRect> LevelView::chipRect(const Action& action) const {
  const LaneId lane = m_board.laneOf(action);
  if (!hasTrayOf(lane)) return std::nullopt;
  const auto& all = m_board.actionsOf(lane);
  const auto place = static_cast<int>(std::ranges::find(all, action) - all.begin());
  return QRect(m_header - scrolled().x() + place * (m_chip + kBetweenChips), trayTop(lane), m_chip, m_tray);
}

std::optional<QRect> LevelView::ghostRect() const {
  const auto action = pointed();
  if (!action || m_board.whyNot(*action)) return std::nullopt;
  return cellRect(m_board.preview(*action));
}

std::optional<Action> LevelView::chipAt(QPoint pixel) const {
  if (pixel.x() < m_header) return std::nullopt;
  for (int lane = 0; lane < lanes(); ++lane)
    for (const Action& action : unplaced(LaneId(lane)))
      if (const auto rect = chipRect(action); rect && rect->contains(pixel)) return action;
  return std::nullopt;
}

std::optional<LaneId> LevelView::laneAt(QPoint pixel) const {
  if (pixel.y() < m_axis) return std::nullopt;
  for (int lane = 0; lane < lanes(); ++lane) {
    const QRect rect = laneRect(LaneId(lane));
    if (pixel.y() >= rect.top() && pixel.y() <= rect.bottom()) return LaneId(lane);
  }
  return std::nullopt;
}

void LevelView::reveal(const QRect& rect) {
  QScrollBar& across = *horizontalScrollBar();
  QScrollBar& down = *verticalScrollBar();
  if (rect.left() < m_header) across.setValue(across.value() + rect.left() - m_header - m_column);
  if (rect.right() > viewport()->width())
    across.setValue(across.value() + rect.right() - viewport()->width() + m_column);
  if (rect.top() < m_axis) down.setValue(down.value() + rect.top() - m_axis);
  if (rect.bottom() > viewport()->height()) down.setValue(down.value() + rect.bottom() - viewport()->height());
}

void LevelView::changePointed(const std::optional<Action>& before) {
  viewport()->update();
  if (before == pointed()) return;
  layOut();
  updateScrollBars();
  Q_EMIT pointedChanged();
}

void LevelView::select(const Action& action) {
  const auto before = pointed();
  m_lane = m_board.laneOf(action);
  m_selected = action;
  m_hovered.reset();
  if (const auto ghost = ghostRect()) reveal(*ghost);
  changePointed(before);
}

void LevelView::selectLane(int lane) {
  if (lane < 0 || lane >= lanes()) return;
  const auto before = pointed();
  m_lane = LaneId(lane);
  m_hovered.reset();
  selectPlaceable();
  if (const auto ghost = ghostRect()) reveal(*ghost);
  changePointed(before);
}

void LevelView::selectNext(int by) {
  const std::vector<Action> left = unplaced(m_lane);
  if (left.empty()) return;
  const auto now = std::ranges::find(left, m_selected.value_or(left.front())) - left.begin();
  select(left[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + by, 0, std::ssize(left) - 1))]);
}

void LevelView::hover(std::optional<Action> action) {
  const auto before = pointed();
  m_hovered = action;
  changePointed(before);
}

void LevelView::request(const Action& action, LaneId lane) {
  select(action);
  Q_EMIT placeRequested(action, lane);
}

void LevelView::endDrag() {
  const auto before = pointed();
  m_drag.reset();
  viewport()->unsetCursor();
  changePointed(before);
}

void LevelView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QAbstractScrollArea::mousePressEvent(event);
  if (const auto action = chipAt(event->pos())) {
    m_drag = Drag{*action, event->pos(), event->pos(), false};
    return;
  }
  const auto ghost = ghostRect();
  if (ghost && ghost->contains(event->pos())) return request(*pointed(), m_board.laneOf(*pointed()));
  if (const auto lane = laneAt(event->pos())) selectLane(lane->value);
}

void LevelView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_drag) {
    const auto ghost = ghostRect();
    const auto action = chipAt(event->pos());
    const bool on_ghost = ghost && ghost->contains(event->pos());
    viewport()->setCursor(action || on_ghost ? Qt::PointingHandCursor : Qt::ArrowCursor);
    return hover(action);
  }
  const auto before = pointed();
  m_drag->now = event->pos();
  m_drag->moving = m_drag->moving || (event->pos() - m_drag->start).manhattanLength() >= 2 * look::kGrid;
  if (m_drag->moving) viewport()->setCursor(Qt::ClosedHandCursor);
  changePointed(before);
}

void LevelView::mouseReleaseEvent(QMouseEvent* event) {
  if (!m_drag || event->button() != Qt::LeftButton) return QAbstractScrollArea::mouseReleaseEvent(event);
  const Drag drag = *m_drag;
  endDrag();
  if (!drag.moving) return request(drag.action, m_board.laneOf(drag.action));
  if (const auto lane = laneAt(event->pos())) request(drag.action, *lane);
}

void LevelView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up: return selectLane(m_lane.value - 1);
    case Qt::Key_Down: return selectLane(m_lane.value + 1);
    case Qt::Key_Left: return selectNext(-1);
    case Qt::Key_Right: return selectNext(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (m_selected) request(*m_selected, m_lane);
      return;
    case Qt::Key_Backspace: Q_EMIT undoRequested(); return;
    case Qt::Key_Escape: return m_drag ? endDrag() : closeRequested();
    default: return QAbstractScrollArea::keyPressEvent(event);
  }
}

void LevelView::focusInEvent(QFocusEvent* event) {
  viewport()->update();
  QAbstractScrollArea::focusInEvent(event);
}

void LevelView::focusOutEvent(QFocusEvent* event) {
  viewport()->update();
  QAbstractScrollArea::focusOutEvent(event);
}

bool LevelView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && !m_drag) hover(std::nullopt);
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto lane = help->pos().x() < m_header ? laneAt(help->pos()) : std::nullopt;
  if (!lane) {
    QToolTip::hideText();
    return true;
  }
  const auto limit = m_board.level().memory_limit;
  const QString stored =
      tr("Stored activations: %1, at most %2 so far").arg(m_board.storedOn(*lane)).arg(m_board.mostStoredOn(*lane));
  QToolTip::showText(help->globalPos(), limit ? tr("%1, limit %2").arg(stored).arg(*limit) : stored, viewport());
  return true;
}

void LevelView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
  updateScrollBars();
}

void LevelView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    layOut();
    updateScrollBars();
    viewport()->update();
  }
  QAbstractScrollArea::changeEvent(event);
}

}  // namespace lanelab
