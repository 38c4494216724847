// SPDX-License-Identifier: GPL-3.0-only
// Bookmarks as thin labelled bands on the ruler. The narrow ones lie over the wide ones; a label stands where it fits.
#pragma once

#include <QPainter>
#include <QString>
#include <optional>
#include <vector>

#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"

namespace lanelab {

struct TimelineBookmark {
  QString name;
  TimeRange range;
};

class BookmarkPainter {
 public:
  BookmarkPainter(const TimelineLayout& layout, TimeRange range, const look::Palette& palette);
  void paint(QPainter& painter, const std::vector<TimelineBookmark>& bookmarks) const;
  /// The one that is seen at a point.
  std::optional<std::size_t> at(QPointF point, const std::vector<TimelineBookmark>& bookmarks) const;

 private:
  QRectF bandOf(const TimelineBookmark& bookmark) const;  ///< empty when out of sight
  std::vector<std::size_t> widestFirst(const std::vector<TimelineBookmark>& bookmarks) const;

  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
};

}  // namespace lanelab
