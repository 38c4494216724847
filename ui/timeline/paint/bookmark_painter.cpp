// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanelab {
namespace {

constexpr double kNarrowestBand = 4;
constexpr double kNarrowestNamed = 24;
constexpr double kLabelGap = 2 * look::kGrid;  ///< between a name and a time, beside the margins of the name

/// Whether a line at `x` would strike a time out.
bool strikesLabel(double x, const std::vector<TickLabel>& labels) {
  return std::ranges::any_of(labels, [x](const TickLabel& label) { return label.left - 2 <= x && x <= label.right; });
}

QRectF bandOf(const TimelineScene& scene, const TimelineBookmark& bookmark) {
  const TimeRange seen = intersection(bookmark.range, scene.scale.range);
  if (seen.empty()) return {};
  const double x0 = std::round(scene.scale.x(seen.start)),
               x1 = std::max(std::round(scene.scale.x(seen.end)), x0 + kNarrowestBand);
  return QRectF(x0, scene.layout.ruler.top() + 1, x1 - x0, scene.layout.ruler.height() - look::kGrid - 1);
}

/// The widest part of a band that no label of the ruler is in: names are written beside times, not over them.
QRectF freeOf(const QRectF& band, const std::vector<TickLabel>& labels) {
  double left = band.left(), best_left = left, best = 0;
  const auto take = [&](double right) {
    if (right - left > best) best = right - left, best_left = left;
  };
  for (const TickLabel& label : labels) {
    if (label.right < left || label.left > band.right()) continue;
    take(std::min(label.left - kLabelGap, band.right()));
    left = std::max(left, label.right + kLabelGap);
  }
  take(band.right());
  return QRectF(best_left, band.top(), best, band.height());
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
  const look::PainterScope scope(painter, /*antialiased=*/false);
  const QFontMetricsF metrics(look::smallFont());
  painter.setFont(look::smallFont());
  const std::vector<TickLabel> labels = tickLabels(scene);
  for (const std::size_t index : widestFirst(bookmarks)) {
    const QRectF band = bandOf(scene, bookmarks[index]);
    if (band.isEmpty()) continue;
    QColor fill = scene.palette.accent;
    fill.setAlphaF(0.2F);
    painter.fillRect(band, fill);
    if (!strikesLabel(band.left(), labels))
      painter.fillRect(QRectF(band.left(), band.top(), 2, band.height()), scene.palette.accent);
    painter.fillRect(QRectF(band.left(), band.top(), band.width(), 2), scene.palette.accent);
    const QRectF room = freeOf(band, labels).adjusted(5, 2, -5, 0);
    if (room.width() < kNarrowestNamed) continue;
    painter.setPen(scene.palette.text);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(bookmarks[index].name, Qt::ElideRight, room.width()));
  }
}

const TimelineBookmark* bookmarkAt(const TimelineScene& scene, QPointF point,
                                   const std::vector<TimelineBookmark>& bookmarks) {
  const TimelineBookmark* found = nullptr;
  for (const std::size_t index : widestFirst(bookmarks))
    if (bandOf(scene, bookmarks[index]).contains(point)) found = &bookmarks[index];
  return found;
}

}  // namespace lanelab
