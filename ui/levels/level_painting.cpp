// SPDX-License-Identifier: GPL-3.0-only
// How LevelView draws itself.
#include <QPainter>

#include "ui/levels/level_view.h"
#include "ui/look/theme.h"
#include "ui/schedule/schedule_picture.h"

namespace lanelab {
namespace {

constexpr double kGhost = 0.55;  ///< opacity
constexpr double kNotYet = 0.3;  ///< of an action that cannot be placed yet

QString textOf(const Action& action) { return QString::fromStdString(toString(action)); }

void paintAction(QPainter& painter, const QRect& rect, const Action& action) {
  const look::Palette& palette = look::current();
  fillScheduleCell(painter, rect, action.kind, palette);
  painter.setPen(look::inkOn(scheduleFill(action.kind, palette)));
  painter.drawText(rect, Qt::AlignCenter, textOf(action));
}

void paintPale(QPainter& painter, const QRect& rect, const Action& action, double opacity, const QColor& ink) {
  painter.setOpacity(opacity);
  fillScheduleCell(painter, rect, action.kind, look::current());
  painter.setOpacity(1);
  painter.setPen(ink);
  painter.drawText(rect, Qt::AlignCenter, textOf(action));
}

void outline(QPainter& painter, const QRect& rect, const QPen& pen) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(pen);
  painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

}  // namespace

void LevelView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setFont(look::smallFont());
  painter.fillRect(viewport()->rect(), look::current().surface);
  for (int lane = 0; lane < lanes(); ++lane) paintLane(painter, LaneId(lane));
  paintPar(painter);
  paintGhost(painter);
  for (int lane = 0; lane < lanes(); ++lane)
    if (hasTrayOf(LaneId(lane))) paintTray(painter, LaneId(lane));
  painter.fillRect(0, 0, m_header, viewport()->height(), look::current().surface);
  for (int lane = 0; lane < lanes(); ++lane) paintHeader(painter, LaneId(lane));
  for (int lane = 0; lane < lanes(); ++lane)
    if (hasTrayOf(LaneId(lane))) paintTrayHeader(painter, LaneId(lane));
  paintAxis(painter);
  if (!m_drag || !m_drag->moving) return;
  const QRect held(m_drag->now - QPoint(m_chip / 2, m_tray / 2), QSize(m_chip, m_tray));
  paintPale(painter, held, m_drag->action, kGhost, look::current().text);
}

void LevelView::paintLane(QPainter& painter, LaneId lane) const {
  const look::Palette& palette = look::current();
  const QRect band = laneRect(lane).adjusted(0, 1, 0, -1);
  painter.fillRect(band, palette.idle_background);
  std::int64_t done = 0;
  for (const PlacedAction& placed : m_board.placed()) {
    if (placed.lane != lane) continue;
    const QRect cell = cellRect(placed);
    if (placed.start > done) {  // idle until it started
      const int left = band.left() + static_cast<int>(done) * m_column;
      const QRect gap(left, band.top(), cell.left() - left, band.height());
      painter.setClipRect(gap);
      look::hatch(painter, gap, palette.idle_hatch, 2 * look::kGrid);
      painter.setClipping(false);
    }
    done = placed.end;
    paintAction(painter, cell, placed.action);
  }
}

void LevelView::paintGhost(QPainter& painter) const {
  const auto ghost = ghostRect();
  if (!ghost) return;
  paintPale(painter, *ghost, *pointed(), kGhost, look::current().text);
  outline(painter, *ghost, QPen(look::current().text, 1, Qt::DashLine));
}

void LevelView::paintPar(QPainter& painter) const {
  const QRect first = laneRect(LaneId(0)), last = laneRect(LaneId(lanes() - 1));
  painter.setPen(QPen(look::current().accent, 2));
  painter.drawLine(parX(), first.top(), parX(), last.bottom());
}

void LevelView::paintAxis(QPainter& painter) const {
  const look::Palette& palette = look::current();
  painter.fillRect(0, 0, viewport()->width(), m_axis, palette.surface);
  const QString par = tr("par %1").arg(m_par);
  const int par_left = parX() - painter.fontMetrics().horizontalAdvance(par) / 2;
  painter.setPen(palette.muted_text);
  for (std::int64_t column = 0; column <= columns(); column += 2) {
    const QString text = QString::number(column);
    const int x = laneRect(LaneId(0)).left() + static_cast<int>(column) * m_column;
    const int half = painter.fontMetrics().horizontalAdvance(text) / 2;
    const bool covered = x + half + look::kGrid > par_left && x - half - look::kGrid < 2 * parX() - par_left;
    if (x >= m_header && !covered) painter.drawText(QRect(x - half, 0, 2 * half + 2, m_axis), Qt::AlignCenter, text);
  }
  if (parX() < m_header) return;
  painter.setPen(palette.accent);
  painter.setFont(look::bold(look::smallFont()));
  painter.drawText(QRect(parX() - m_column * 4, 0, m_column * 8, m_axis), Qt::AlignCenter, par);
  painter.setFont(look::smallFont());
}

void LevelView::paintHeader(QPainter& painter, LaneId lane) const {
  const look::Palette& palette = look::current();
  const bool selected = lane == m_lane;
  const QRect row(0, laneRect(lane).top(), m_header, m_row);
  if (selected) painter.fillRect(0, row.top() + 1, 3, m_row - 2, hasFocus() ? palette.accent : palette.muted_text);
  painter.setFont(selected ? look::bold(look::textFont()) : look::textFont());
  painter.setPen(palette.text);
  painter.drawText(row.adjusted(2 * look::kGrid, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                   tr("Lane %1").arg(lane.value));
  painter.setFont(look::smallFont());
  paintStored(painter, lane, row.adjusted(0, 0, -2 * look::kGrid, 0));
}

void LevelView::paintTrayHeader(QPainter& painter, LaneId lane) const {
  painter.setPen(look::current().muted_text);
  painter.drawText(QRect(2 * look::kGrid, trayTop(lane), m_header - 3 * look::kGrid, m_tray),
                   Qt::AlignVCenter | Qt::AlignLeft, tr("Lane %1").arg(lane.value));
}

/// A square for each activation that the limit allows, filled while it is stored; without a limit the number.
void LevelView::paintStored(QPainter& painter, LaneId lane, const QRect& room) const {
  const look::Palette& palette = look::current();
  const int stored = m_board.storedOn(lane);
  const auto limit = m_board.level().memory_limit;
  if (!limit) {
    painter.setPen(palette.muted_text);
    if (stored > 0) painter.drawText(room, Qt::AlignVCenter | Qt::AlignRight, QString::number(stored));
    return;
  }
  const QColor color = stored == *limit ? palette.warning : palette.muted_text;
  for (int i = 0; i < *limit; ++i) {
    const QRect square(room.right() - (*limit - i) * (kStored + 2) + 2, room.center().y() - kStored / 2, kStored,
                       kStored);
    if (i < stored) painter.fillRect(square, color);
    outline(painter, square, QPen(color, 1));
  }
}

void LevelView::paintTray(QPainter& painter, LaneId lane) const {
  for (const Action& action : m_board.actionsOf(lane))
    if (const auto rect = chipRect(action)) paintChip(painter, *rect, action);
}

void LevelView::paintChip(QPainter& painter, const QRect& rect, const Action& action) const {
  const look::Palette& palette = look::current();
  if (m_board.isPlaced(action)) return outline(painter, rect, QPen(palette.grid, 1, Qt::DotLine));
  if (m_board.whyNot(action))
    paintPale(painter, rect, action, kNotYet, palette.muted_text);
  else
    paintAction(painter, rect, action);
  if (action == m_selected) outline(painter, rect, QPen(hasFocus() ? palette.accent : palette.muted_text, 2));
}

}  // namespace lanelab
