// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/bookmark_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace lanelab {
namespace {

constexpr double kNarrowest = 4;
constexpr double kNarrowestLabel = 24;

}  // namespace

BookmarkPainter::BookmarkPainter(const TimelineLayout& layout, TimeRange range, const look::Palette& palette)
    : m_layout(layout), m_palette(palette), m_scale(layout.scale(range)) {}

QRectF BookmarkPainter::bandOf(const TimelineBookmark& bookmark) const {
  const TimeRange seen = intersection(bookmark.range, m_scale.range);
  if (seen.empty()) return {};
  const double x0 = std::round(m_scale.x(seen.start)), x1 = std::max(std::round(m_scale.x(seen.end)), x0 + kNarrowest);
  return QRectF(x0, m_layout.ruler.top() + 1, x1 - x0, m_layout.ruler.height() - look::kGrid - 1);
}

std::vector<std::size_t> BookmarkPainter::widestFirst(const std::vector<TimelineBookmark>& bookmarks) const {
  std::vector<std::size_t> order(bookmarks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bookmarks[a].range.length() > bookmarks[b].range.length();
  });
  return order;
}

void BookmarkPainter::paint(QPainter& painter, const std::vector<TimelineBookmark>& bookmarks) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  const QFontMetricsF metrics(look::smallFont());
  painter.setFont(look::smallFont());
  for (const std::size_t index : widestFirst(bookmarks)) {
    const QRectF band = bandOf(bookmarks[index]);
    if (band.isEmpty()) continue;
    painter.fillRect(band, look::mix(m_palette.accent, m_palette.surface, 0.75));
    painter.fillRect(QRectF(band.left(), band.top(), 2, band.height()), m_palette.accent);
    painter.fillRect(QRectF(band.left(), band.top(), band.width(), 2), m_palette.accent);
    if (band.width() < kNarrowestLabel) continue;
    painter.setPen(m_palette.text);
    const QRectF room = band.adjusted(5, 2, -2, 0);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(bookmarks[index].name, Qt::ElideRight, room.width()));
  }
  painter.restore();
}

std::optional<std::size_t> BookmarkPainter::at(QPointF point, const std::vector<TimelineBookmark>& bookmarks) const {
  std::optional<std::size_t> found;
  for (const std::size_t index : widestFirst(bookmarks))
    if (bandOf(bookmarks[index]).contains(point)) found = index;
  return found;
}

}  // namespace lanelab
