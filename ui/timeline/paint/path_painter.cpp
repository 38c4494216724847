// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/path_painter.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kLine = 2.5;
constexpr double kCasing = 5;
constexpr double kHeight = 0.8;  ///< of the row: below the labels, which stand in its middle

}  // namespace

PathPainter::PathPainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                         const look::Palette& palette)
    : m_data(data), m_layout(layout), m_palette(palette), m_scale(layout.scale(range)) {}

double PathPainter::middleOf(int lane) const {
  for (const RowBox& box : m_layout.rows) {
    const Row& row = m_data.rows()[box.row];
    if (row.lane == lane && row.kind == Track::Kind::Compute)
      return std::round(box.rect.top() + kHeight * box.rect.height());
  }
  for (const LaneBox& box : m_layout.lanes)
    if (box.lane == lane) return std::round(box.rect.center().y());
  return m_layout.body.top();
}

void PathPainter::paint(QPainter& painter, const std::vector<CriticalPath>& paths) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(m_layout.body, Qt::IntersectClip);
  painter.setBrush(Qt::NoBrush);
  for (const CriticalPath& path : paths)
    if (!intersection(path.window, m_scale.range).empty()) paintPath(painter, path);
  painter.restore();
}

/// Waits and transfers run down to the lane that they end on; neighbours within a pixel on one lane are one.
void PathPainter::paintPath(QPainter& painter, const CriticalPath& path) const {
  std::vector<double> middles;
  for (int lane = 0; lane < static_cast<int>(m_data.trace().lanes.size()); ++lane) middles.push_back(middleOf(lane));
  QPolygonF line;
  for (const PathLink& link : path.links) {
    if (link.range.end < m_scale.range.start || link.range.start > m_scale.range.end) continue;
    const double y = middles[static_cast<std::size_t>(link.lane)];
    const double x0 = std::max(m_scale.x(link.range.start), m_layout.body.left() - 20),
                 x1 = std::min(m_scale.x(link.range.end), m_layout.body.right() + 20);
    const bool goes_over = link.kind == PathLink::Kind::Transfer || link.kind == PathLink::Kind::TransferQueued;
    if (line.isEmpty() || (!goes_over && line.back().y() != y)) line << QPointF(x0, y);
    if (line.back().y() == y && x1 - line.back().x() < 1 && line.size() > 1) continue;
    line << QPointF(x1, goes_over && link.kind == PathLink::Kind::TransferQueued ? line.back().y() : y);
  }
  for (const auto& [color, width] : {std::pair(m_palette.surface, kCasing), std::pair(m_palette.text, kLine)}) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
  }
}

}  // namespace lanelab
