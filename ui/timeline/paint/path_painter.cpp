// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kLine = 2.5;
constexpr double kCasing = 5;
constexpr double kHeight = 0.8;  ///< of the row: below the labels, which stand in its middle

double middleOf(const TimelineScene& scene, int lane) {
  for (const RowBox& box : scene.layout.rows) {
    const Row& row = scene.data.rows()[box.row];
    if (row.lane == lane && row.kind == Track::Kind::Compute)
      return std::round(box.rect.top() + kHeight * box.rect.height());
  }
  const LaneBox* const box = scene.layout.boxOfLane(lane);
  return box ? std::round(box->rect.center().y()) : scene.layout.body.top();
}

/// Waits and transfers run down to the lane that they end on; neighbours within a pixel on one lane are one.
void paintPath(QPainter& painter, const TimelineScene& scene, const CriticalPath& path) {
  std::vector<double> middles;
  for (int lane = 0; lane < static_cast<int>(scene.data.trace().lanes.size()); ++lane)
    middles.push_back(middleOf(scene, lane));
  QPolygonF line;
  for (const PathLink& link : path.links) {
    if (link.range.end < scene.scale.range.start || link.range.start > scene.scale.range.end) continue;
    const double y = middles[static_cast<std::size_t>(link.lane)];
    const double x0 = std::max(scene.scale.x(link.range.start), scene.layout.body.left() - 20),
                 x1 = std::min(scene.scale.x(link.range.end), scene.layout.body.right() + 20);
    const bool goes_over = link.kind == PathLink::Kind::Transfer || link.kind == PathLink::Kind::TransferQueued;
    if (line.isEmpty() || (!goes_over && line.back().y() != y)) line << QPointF(x0, y);
    if (line.back().y() == y && x1 - line.back().x() < 1 && line.size() > 1) continue;
    line << QPointF(x1, goes_over && link.kind == PathLink::Kind::TransferQueued ? line.back().y() : y);
  }
  for (const auto& [color, width] : {std::pair(scene.palette.surface, kCasing), std::pair(scene.palette.text, kLine)}) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
  }
}

}  // namespace

void paintCriticalPaths(QPainter& painter, const TimelineScene& scene, const std::vector<CriticalPath>& paths) {
  const look::PainterScope scope(painter, /*antialiased=*/true);
  painter.setClipRect(scene.layout.body, Qt::IntersectClip);
  painter.setBrush(Qt::NoBrush);
  for (const CriticalPath& path : paths)
    if (!intersection(path.window, scene.scale.range).empty()) paintPath(painter, scene, path);
}

}  // namespace lanelab
