// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanelab {
namespace {

constexpr double kNarrowest = 4;
constexpr double kNarrowestNamed = 24;

QRectF bandOf(const TimelineScene& scene, const TimelineBookmark& bookmark) {
  const TimeRange seen = intersection(bookmark.range, scene.scale.range);
  if (seen.empty()) return {};
  const double x0 = std::round(scene.scale.x(seen.start)),
               x1 = std::max(std::round(scene.scale.x(seen.end)), x0 + kNarrowest);
  return QRectF(x0, scene.layout.ruler.top() + 1, x1 - x0, scene.layout.ruler.height() - look::kGrid - 1);
}

std::vector<std::size_t> widestFirst(const std::vector<TimelineBookmark>& bookmarks) {
  std::vector<std::size_t> order(bookmarks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bookmarks[a].range.length() > bookmarks[b].range.length();
  });
  return order;
}

}  // namespace

void paintBookmarks(QPainter& painter, const TimelineScene& scene, const std::vector<TimelineBookmark>& bookmarks) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QFontMetricsF metrics(look::smallFont());
  painter.setFont(look::smallFont());
  for (const std::size_t index : widestFirst(bookmarks)) {
    const QRectF band = bandOf(scene, bookmarks[index]);
    if (band.isEmpty()) continue;
    painter.fillRect(band, look::mix(scene.palette.accent, scene.palette.surface, 0.75));
    painter.fillRect(QRectF(band.left(), band.top(), 2, band.height()), scene.palette.accent);
    painter.fillRect(QRectF(band.left(), band.top(), band.width(), 2), scene.palette.accent);
    if (band.width() < kNarrowestNamed) continue;
    painter.setPen(scene.palette.text);
    const QRectF room = band.adjusted(5, 2, -2, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(bookmarks[index].name, Qt::ElideRight, room.width()));
  }
  painter.restore();
}

const TimelineBookmark* bookmarkAt(const TimelineScene& scene, QPointF point,
                                   const std::vector<TimelineBookmark>& bookmarks) {
  const TimelineBookmark* found = nullptr;
  for (const std::size_t index : widestFirst(bookmarks))
    if (bandOf(scene, bookmarks[index]).contains(point)) found = &bookmarks[index];
  return found;
}

}  // namespace lanelab
