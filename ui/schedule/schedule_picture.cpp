// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/schedule_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "base/text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {
namespace {

constexpr qreal kUnit = 9 * look::kGrid;  ///< width of a column: "0F12" at the small size
constexpr qreal kHeight = 7 * look::kGrid;
constexpr qreal kHatchSpacing = 5;

struct ScheduleTexts {
  Q_DECLARE_TR_FUNCTIONS(Schedule)
};

class GridPainter {
 public:
  GridPainter(QPainter& painter, const QRectF& area, const look::Palette& palette, const ShownSchedule& shown,
              qreal names)
      : m_painter(painter),
        m_palette(palette),
        m_shown(shown),
        m_grid(layOutSchedule(shown.schedule)),
        m_left(area.left()),
        m_cells(area.left() + names, area.top() + kHeight, area.width() - names, area.height() - kHeight) {
    m_painter.setFont(look::smallFont());
  }

  void paint() const {
    for (std::size_t lane = 0; lane < m_grid.lanes.size(); ++lane) paintLane(lane);
    m_painter.setPen(m_palette.muted_text);
    for (std::int64_t column = 0; column < m_grid.columns; column += 2)
      m_painter.drawText(QRectF(xOf(column), m_cells.top() - kHeight, unit(), kHeight), Qt::AlignCenter,
                         QString::number(column));
  }

 private:
  qreal unit() const { return m_cells.width() / static_cast<qreal>(std::max<std::int64_t>(m_grid.columns, 1)); }
  qreal xOf(std::int64_t column) const { return m_cells.left() + unit() * static_cast<qreal>(column); }

  void paintLane(std::size_t lane) const {
    const qreal top = m_cells.top() + kHeight * static_cast<qreal>(lane);
    const QRectF band(m_cells.left(), top + look::kGrid / 2.0, m_cells.width(), kHeight - look::kGrid);
    m_painter.fillRect(band, m_palette.idle_background);
    m_painter.setPen(m_palette.text);
    m_painter.setFont(look::textFont());
    m_painter.drawText(QRectF(m_left, top, m_cells.left() - m_left - 2 * look::kGrid, kHeight),
                       Qt::AlignVCenter | Qt::AlignRight, m_shown.lane_names[lane]);
    m_painter.setFont(look::smallFont());
    for (const GridCell& cell : m_grid.lanes[lane]) paintCell(cell, band);
  }

  void paintCell(const GridCell& cell, const QRectF& band) const {
    const QRectF rect(xOf(cell.start) + 0.5, band.top(), unit() * static_cast<qreal>(cell.length) - 1, band.height());
    fillScheduleCell(m_painter, rect, cell.action.kind, m_palette);
    m_painter.setPen(look::inkOn(scheduleFill(cell.action.kind, m_palette)));
    m_painter.drawText(rect, Qt::AlignCenter, QString::fromStdString(toString(cell.action)));
    if (!cell.missing) return;
    m_painter.setPen(QPen(m_palette.error, 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRect(rect.adjusted(1, 1, -1, -1));
  }

  QPainter& m_painter;
  const look::Palette& m_palette;
  const ShownSchedule& m_shown;
  ScheduleGrid m_grid;
  qreal m_left;
  QRectF m_cells;
};

qreal widestName(const ShownSchedule& shown) {
  const QFontMetricsF metrics(look::textFont());
  qreal widest = 0;
  for (const QString& name : shown.lane_names) widest = std::max(widest, metrics.horizontalAdvance(name));
  return widest + 3 * look::kGrid;
}

}  // namespace

QColor scheduleFill(ActionKind kind, const look::Palette& palette) {
  switch (kind) {
    case ActionKind::Forward: return palette.forward;
    case ActionKind::BackwardInput: return palette.pale(palette.backward, 0.3);
    case ActionKind::BackwardWeight: return palette.pale(palette.backward, 0.6);
    default: return palette.backward;
  }
}

void fillScheduleCell(QPainter& painter, const QRectF& rect, ActionKind kind, const look::Palette& palette) {
  const QColor fill = scheduleFill(kind, palette);
  painter.fillRect(rect, fill);
  if (kind == ActionKind::Backward || kind == ActionKind::BackwardInput || kind == ActionKind::BackwardWeight)
    look::hatch(painter, rect, palette.hatchOn(fill), kHatchSpacing);
}

QString scheduleWords(const ShownSchedule& shown, const ScheduleGrid& grid) {
  QStringList lanes;
  for (std::size_t lane = 0; lane < std::min(grid.lanes.size(), shown.lane_names.size()); ++lane)
    lanes << ScheduleTexts::tr("%1 %2").arg(
        shown.lane_names[lane], ScheduleTexts::tr("%n action(s)", nullptr, static_cast<int>(grid.lanes[lane].size())));
  const QString idle = QString::fromStdString(formatNumber(100 * grid.idleShare()));
  const QString words = ScheduleTexts::tr("%1 in unit times: %2; lanes with work are idle %3 % of them.")
                            .arg(ScheduleTexts::tr("%n column(s)", nullptr, static_cast<int>(grid.columns)),
                                 look::spokenList(lanes), idle);
  return grid.broken == 0 ? words
                          : words + ' ' +
                                ScheduleTexts::tr("%1 cannot run.")
                                    .arg(ScheduleTexts::tr("%n action(s)", nullptr, static_cast<int>(grid.broken)));
}

Picture schedulePicture(const ShownSchedule& shown, const QString& title, const QString& caption) {
  const qreal names = widestName(shown);
  const ScheduleGrid grid = layOutSchedule(shown.schedule);
  const QSizeF size(names + kUnit * static_cast<qreal>(std::max<std::int64_t>(grid.columns, 1)),
                    kHeight * static_cast<qreal>(grid.lanes.size() + 1));
  const auto paint = [shown, names](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    GridPainter(painter, area, palette, shown, names).paint();
  };
  return {title, caption, size, paint, {}, scheduleWords(shown, grid)};
}

}  // namespace lanelab
