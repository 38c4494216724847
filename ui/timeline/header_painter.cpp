#include "ui/timeline/header_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>

#include "ui/timeline/ticks.h"

namespace lanelab {
namespace {

constexpr double kTwoLineLane = 38;

struct Texts {
  Q_DECLARE_TR_FUNCTIONS(TimelineView)
};

}  // namespace

HeaderPainter::HeaderPainter(const TimelineData& data, const TimelineLayout& layout, const look::Palette& palette)
    : m_data(data), m_layout(layout), m_palette(palette), m_font(look::smallFont()) {}

void HeaderPainter::paint(QPainter& painter, const std::vector<double>& selected) const {
  for (const LaneBox& lane : m_layout.lanes) {
    const auto index = static_cast<std::size_t>(lane.lane);
    paintHeader(painter, lane, index < selected.size() ? std::optional(selected[index]) : std::nullopt);
  }
}

/// Name and busy share; below them, where there is room, device and what the share is of. In one line the selection's share takes the place.
void HeaderPainter::paintHeader(QPainter& painter, const LaneBox& lane, std::optional<double> selected) const {
  const QString device = m_data.laneDevice(lane.lane);
  const auto share = m_data.busyShare(lane.lane);
  const bool two_lines = lane.rect.height() >= kTwoLineLane;
  const double middle = lane.rect.top() + std::min(lane.rect.height() / 2, kTwoLineLane * 0.6);
  const HeaderLine first{middle + (two_lines ? -1 : 5), look::textFont(), m_palette.text};
  const QString busy = share ? shareText(*share) : QString();
  if (!two_lines) return paintHeaderLine(painter, first, m_data.laneName(lane.lane), selected ? shareText(*selected) : busy, selected.has_value());
  paintHeaderLine(painter, first, m_data.laneName(lane.lane), busy, false);
  const HeaderLine second{middle + 14, m_font, m_palette.muted_text};
  const QString note = selected ? Texts::tr("selected %1").arg(shareText(*selected)) : busy.isEmpty() ? QString() : Texts::tr("busy");
  paintHeaderLine(painter, second, device, note, selected.has_value());
}

void HeaderPainter::paintHeaderLine(QPainter& painter, const HeaderLine& line, const QString& left_text, const QString& right_text,
                                      bool accent) const {
  const QRectF room = m_layout.headers.adjusted(3 * look::kGrid, 0, -2 * look::kGrid, 0);
  QFont left_font = line.font;
  left_font.setBold(line.color == m_palette.text);
  const double right_width = QFontMetricsF(line.font).horizontalAdvance(right_text);
  painter.setPen(line.color);
  painter.setFont(left_font);
  const QString shown = QFontMetricsF(left_font).elidedText(left_text, Qt::ElideRight, room.width() - right_width - 2 * look::kGrid);
  painter.drawText(QPointF(room.left(), line.baseline), shown);
  painter.setFont(line.font);
  if (accent) painter.setPen(m_palette.accent);
  painter.drawText(QPointF(room.right() - right_width, line.baseline), right_text);
}

}  // namespace lanelab
