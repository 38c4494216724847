// SPDX-License-Identifier: GPL-3.0-only
// Paints a timeline on screen, and keeps what it painted: lanes and frame as one picture, the headers as another; what
// changes with the pointer is drawn over them. GUI thread.
#pragma once

#include <QImage>
#include <QPainter>
#include <QString>
#include <utility>

#include "ui/timeline/layout/label_cache.h"
#include "ui/timeline/model/found_spans.h"
#include "ui/timeline/paint/layers.h"
#include "ui/timeline/paint/row_raster.h"
#include "ui/timeline/view/timeline_focus.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

class TimelineCanvas {
 public:
  /// What is painted besides content, viewport and focus.
  struct Extras {
    const TimelineLayout& placed;  ///< the viewport's
    HeaderMarks headers;
    const FoundSpans* found = nullptr;  ///< outlined; null: none
    bool boxes = true;                  ///< with facts; another one may be in the way
  };

  /// All must outlive it.
  TimelineCanvas(const TimelineContent& content, const TimelineViewport& viewport, const TimelineFocus& focus);

  /// Said in place of a trace; empty: that nothing was run. False where that changes nothing.
  bool setEmptyText(const QString& sentence) { return std::exchange(m_empty_text, sentence) != sentence; }
  void invalidate();                                 ///< the pictures are out of date
  void invalidateLanes() { m_lanes_valid = false; }  ///< that of lanes and frame is
  void clearLabels() { m_labels.clear(); }
  void changeFont();

  /// Paints `dirty` of a widget of this size and device pixel ratio. Only if there is data.
  void paint(QPainter& painter, const QRect& dirty, QSize size, qreal ratio, const Extras& extras);
  /// Why no lane is drawn; empty where some are.
  QString whatIsMissing() const;
  /// In place of lanes, a sentence on what will be here; false if there are lanes.
  bool paintMissing(QPainter& painter, const QRect& rect) const;
  /// What the marks of hovered and current span covered when they were painted last, and what they cover now.
  QRect dirtyMarks() const { return m_painted_marks | coveredByMarks(); }

 private:
  /// What the picture of the headers was painted for.
  struct HeadersKey {
    QRectF place;
    std::vector<QRectF> boxes;  ///< lanes, then rows
    HeaderMarks marks;
    const look::Palette* palette = nullptr;
    qreal ratio = 1;
    bool operator==(const HeadersKey&) const = default;
  };

  /// `shown`, which it refers to, is shownLayout() of the viewport's layout or of a part of it.
  TimelineScene sceneOf(const TimelineLayout& shown) const;
  /// With the rows of changed steps in the place of the measured ones, if there are changes.
  TimelineLayout shownLayout(const TimelineLayout& placed) const;
  TimelineMarks shownMarks(TimelineMarks marks) const;  ///< likewise, with the spans
  void renewLanes(QSize size, qreal ratio, const FoundSpans* found);
  void paintPart(const TimelineLayout& placed, bool covers, const FoundSpans* found);
  void paintOverRows(QPainter& painter, const TimelineScene& part, const FoundSpans* found) const;
  void paintMeasured(QPainter& painter, const TimelineLayout& placed, const TimelineScene& part) const;
  void paintAround(QPainter& painter, const TimelineScene& scene) const;
  void renewHeaders(const TimelineLayout& placed, const HeaderMarks& marks);
  QRect coveredByMarks() const;

  const TimelineContent& m_content;
  const TimelineViewport& m_viewport;
  const TimelineFocus& m_focus;
  RowRaster m_raster;
  QString m_empty_text;
  LabelCache m_labels;  ///< what is drawn of them is kept between pictures
  QImage m_lanes;
  bool m_lanes_valid = false;
  QImage m_headers;
  std::optional<HeadersKey> m_headers_key;
  QRect m_painted_marks;
};

}  // namespace lanelab
