// SPDX-License-Identifier: GPL-3.0-only
// A strip above a timeline's axis with all of its trace, in which what is seen is a window: dragging moves it, its
// edges are pulled, a click goes there. Keys while it has the focus: arrows move the window, with Shift its right edge,
// Page Up and Page Down by its length, Home and End to the ends; others are the timeline's. GUI thread.
#pragma once

#include <QImage>
#include <QWidget>
#include <optional>

#include "ui/timeline/layout/overview_window.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

class TraceOverview : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kHeight = 22;  ///< pixels, in which eight lanes have a line each

  /// `content` and `viewport` must outlive it. Its left edge is that of the viewport's area.
  TraceOverview(QWidget* parent, const TimelineContent& content, TimelineViewport& viewport);

  /// The content's trace was replaced. While a trace grows it is painted again when it is a pixel longer.
  void setTrace(const TraceChange& change);
  OverviewWindow windowNow() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  struct Held {
    OverviewPart part;
    double x;               ///< where it was pressed
    OverviewWindow window;  ///< as it was then
  };

  bool move(const QKeyEvent& event);  ///< false if it is another key
  void showRange(TimeRange range);
  void showCursor(double x);
  void describe();
  void renewPicture(const TimeScale& strip);
  void paintWindow(QPainter& painter, const OverviewWindow& window) const;

  const TimelineContent& m_content;
  TimelineViewport& m_viewport;
  std::optional<Held> m_held;
  QImage m_picture;
  TimeRange m_pictured;  ///< that m_picture shows; empty: it is out of date
};

}  // namespace lanelab
