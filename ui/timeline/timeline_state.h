// The inside of a TimelineView: what it shows and what it has painted. Only timeline_view.cpp and timeline_input.cpp include this.
#pragma once

#include <QPixmap>
#include <QScrollBar>

#include "ui/timeline/navigation.h"
#include "ui/timeline/overlay_painter.h"
#include "ui/timeline/timeline_view.h"

namespace lanelab {

class TimelineView::Impl {
 public:
  explicit Impl(TimelineView& view);

  bool empty() const { return !data || data->empty(); }
  QRectF area() const;                        ///< of the painting: the widget without its scroll bars
  TimelineLayout layout() const;
  TimeScale scale() const { return layout().scale(navigation.visible()); }

  void setTrace(std::shared_ptr<const Trace> trace);
  void setPrediction(std::shared_ptr<const Trace> predicted);
  void setSelection(std::optional<TimeRange> range);
  QString sentenceOf(SpanRef ref) const;
  void setCurrent(std::optional<SpanRef> ref);
  void setHovered(std::optional<SpanRef> ref);
  void setFollow(bool on);
  /// A person moved the view: following ends, bars and picture are brought up to date.
  void movedByHand();
  /// The same after anything that changes what is seen.
  void viewChanged(TimeRange before);
  void invalidate();                          ///< the cached picture is out of date
  void updateScrollBars();
  void scrollTo(double offset);
  void zoomBy(double factor);                 ///< about the pointer where it is in the body, else the middle
  void zoomToFocus();                         ///< the selection, else the current span
  void stepSpan(int direction);               ///< to the next or previous span of its row
  void stepRow(int direction);                ///< to the span nearest in time of the like row of the lane below or above
  std::optional<SpanRef> spanAt(QPointF point) const;
  void paint(QPainter& painter);
  void paintBase();

  TimelineView& view;
  std::shared_ptr<const TimelineData> data;   ///< null when there is no trace
  std::shared_ptr<const Trace> predicted;     ///< null when nothing was predicted of it
  Navigation navigation;
  TimelineMarks marks;
  std::vector<double> selected_busy;          ///< by lane, while there is a selection
  bool details = false;
  bool follow = false;
  double scroll = 0;
  QScrollBar* vertical = nullptr;
  QScrollBar* horizontal = nullptr;

  QPixmap base;                               ///< lanes and frame; hover and selection are drawn over it
  bool base_valid = false;

  enum class Drag { None, Pressed, Selecting, Panning };
  Drag drag = Drag::None;
  QPointF pressed_at;
  Nanoseconds pressed_time = 0;
  TimeRange pressed_range;
  std::optional<TimeRange> selection_before;
  bool space_down = false;
};

}  // namespace lanelab
