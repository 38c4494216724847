// SPDX-License-Identifier: GPL-3.0-only
// How ScheduleView draws itself.
#include <QPainter>
#include <QScrollBar>

#include "ui/look/theme.h"
#include "ui/schedule/schedule_picture.h"
#include "ui/schedule/schedule_view.h"

namespace lanelab {
void ScheduleView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.setFont(look::smallFont());
  painter.fillRect(viewport()->rect(), look::current().surface);
  if (!m_shown) return;
  for (std::size_t lane = 0; lane < m_grid.lanes.size(); ++lane) paintLane(painter, lane);
  paintBrokenLines(painter);
  if (m_chosen) {
    painter.setPen(QPen(hasFocus() ? look::current().accent : look::current().muted_text, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cellRect(m_chosen->lane, m_chosen->index));
  }
  paintAxis(painter);
  paintHeaders(painter);
}

void ScheduleView::paintLane(QPainter& painter, std::size_t lane) const {
  const look::Palette& palette = look::current();
  const int y = m_axis + static_cast<int>(lane) * m_row - verticalScrollBar()->value();
  const int left = m_header - horizontalScrollBar()->value();
  const QRect band(left, y + look::kGrid / 2, static_cast<int>(m_grid.columns) * m_column, m_row - look::kGrid);
  painter.fillRect(band, palette.idle_background);
  if (!m_grid.lanes[lane].empty()) {
    painter.setClipRect(band);
    look::hatch(painter, band, palette.idle_hatch, 2 * look::kGrid);
    painter.setClipping(false);
  }
  for (std::size_t i = 0; i < m_grid.lanes[lane].size(); ++i) paintCell(painter, {lane, i});
}

void ScheduleView::paintCell(QPainter& painter, Place place) const {
  const GridCell& cell = m_grid.lanes[place.lane][place.index];
  const QRect rect = cellRect(place.lane, place.index);
  if (rect.right() < m_header || rect.left() > viewport()->width()) return;
  const look::Palette& palette = look::current();
  fillScheduleCell(painter, rect, cell.action.kind, palette);
  painter.setPen(look::inkOn(scheduleFill(cell.action.kind, palette)));
  painter.drawText(rect, Qt::AlignCenter, QString::fromStdString(toString(cell.action)));
  if (!cell.missing) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(palette.surface, 5));
  painter.drawRect(rect.adjusted(2, 2, -2, -2));
  painter.setPen(QPen(palette.error, 3));
  painter.drawRect(rect.adjusted(1, 1, -1, -1));
}

/// From what is waited for to who waits, against the run of time.
void ScheduleView::paintBrokenLines(QPainter& painter) const {
  const look::Palette& palette = look::current();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (std::size_t lane = 0; lane < m_grid.lanes.size(); ++lane) {
    for (std::size_t i = 0; i < m_grid.lanes[lane].size(); ++i) {
      if (!m_grid.lanes[lane][i].missing) continue;
      const auto wanted = placeOf(*m_grid.lanes[lane][i].missing);
      if (!wanted) continue;
      const QRect there = cellRect(wanted->lane, wanted->index), here = cellRect(lane, i);
      const bool below = wanted->lane > lane;
      const QPointF from(there.center().x(), below ? there.top() : there.bottom());
      const QPointF to(here.center().x(), wanted->lane >= lane ? here.bottom() : here.top());
      painter.setPen(QPen(palette.surface, 5));
      painter.drawLine(from, to);
      painter.setPen(QPen(palette.error, 2, Qt::DashLine));
      painter.drawLine(from, to);
      painter.setPen(QPen(palette.error, 2));
      painter.drawRect(there);
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void ScheduleView::paintAxis(QPainter& painter) const {
  const look::Palette& palette = look::current();
  painter.fillRect(0, 0, viewport()->width(), m_axis, palette.surface);
  painter.setPen(palette.muted_text);
  for (int column = 0; column < static_cast<int>(m_grid.columns); column += 2) {
    const QRect slot(m_header + column * m_column - horizontalScrollBar()->value(), 0, m_column, m_axis);
    if (slot.right() >= m_header && slot.left() <= viewport()->width())
      painter.drawText(slot, Qt::AlignCenter, QString::number(column));
  }
}

void ScheduleView::paintHeaders(QPainter& painter) const {
  const look::Palette& palette = look::current();
  painter.fillRect(0, 0, m_header, viewport()->height(), palette.surface);
  painter.setPen(palette.text);
  painter.setFont(look::textFont());
  for (std::size_t lane = 0; lane < m_shown->lane_names.size(); ++lane) {
    const QRect slot(look::kGrid, m_axis + static_cast<int>(lane) * m_row - verticalScrollBar()->value(),
                     m_header - 2 * look::kGrid, m_row);
    painter.drawText(slot, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_shown->lane_names[lane], Qt::ElideRight, slot.width()));
  }
  painter.fillRect(0, 0, m_header, m_axis, palette.surface);
}

}  // namespace lanelab
