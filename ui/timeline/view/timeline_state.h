// SPDX-License-Identifier: GPL-3.0-only
// The inside of a TimelineView: what it shows and what it has painted. Only
// timeline_{view,input,rows,search,picture}.cpp include this.
#pragma once

#include <QImage>
#include <QMenu>
#include <QScrollBar>

#include "profiler/analysis/critical_path.h"
#include "ui/timeline/layout/label_cache.h"
#include "ui/timeline/layout/navigation.h"
#include "ui/timeline/model/span_finder.h"
#include "ui/timeline/paint/header_painter.h"
#include "ui/timeline/paint/overlay_painter.h"
#include "ui/timeline/paint/row_raster.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {

/// From here on a press that moves is a drag, in pixels.
inline constexpr double kDragFrom = 4;

/// What the picture of the lanes' names was painted for.
struct HeadersKey {
  QRectF place;
  std::vector<QRectF> boxes;  ///< lanes, then rows
  HeaderMarks marks;
  const look::Palette* palette = nullptr;
  qreal ratio = 1;
  bool operator==(const HeadersKey&) const = default;
};

class TimelineView::Impl {
 public:
  explicit Impl(TimelineView& view);

  bool empty() const { return !data || data->empty(); }
  QRectF area() const;  ///< of the painting: the widget without its scroll bars
  QRectF areaBeside(bool vertical_bar) const;
  TimelineLayout layout() const;
  TimeScale scale() const { return layout().scale(navigation.visible()); }

  void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned = nullptr);
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
  void invalidate();        ///< the cached pictures are out of date
  void updateAll();         ///< is to be painted soon
  void updateHoverMarks();  ///< what they covered, and what they cover now
  void updateScrollBars();
  void scrollTo(double offset);
  void zoomBy(double factor);    ///< about the pointer where it is in the body, else the middle
  void zoomToFocus();            ///< the selection, else the current span
  void stepSpan(int direction);  ///< to the next or previous span of its row
  void stepRow(int direction);   ///< to the span nearest in time of the like row of the lane below or above
  std::optional<SpanRef> spanAt(QPointF point) const;

  // Finding, arrows, two runs: timeline_search.cpp
  void reveal(SpanRef ref);           ///< with room to read it
  void scrollToRow(std::size_t row);  ///< shows its kind first where that is hidden
  void search(const QString& text);
  void searchAgain();  ///< in a trace that replaced the one before
  void foundChanged();
  void find(int direction);
  void followArrow(int direction);
  void updateArrows();
  void updatePaths();
  std::optional<std::size_t> bookmarkAt(QPointF point) const;
  bool differs() const;  ///< tints are wanted, and there is something to compare with

  QString whatIsMissing() const;  ///< a sentence in place of the lanes; empty where there are some

  // Rows and headers: timeline_rows.cpp
  void arrange(RowArrangement next);          ///< as a person asked for
  void keepArrangement(const Trace* before);  ///< of lanes, where the new trace has the same
  void showRowKind(std::size_t row);          ///< so that the row has a place
  std::optional<int> currentLane() const;     ///< of the current span, else the one that was chosen
  void chooseLane(std::optional<int> lane);
  void moveLane(int direction);
  std::optional<int> laneAt(QPointF point) const;  ///< whose header or rows are there
  bool inHeaders(QPointF point) const;
  bool pressHeader(QPointF point);  ///< false where there is none
  void toggleReplica(int replica);
  void dragHeader(QPointF point);
  void dropHeader(QPointF point);
  void leaveHeader();  ///< the lane stays where it was
  void hoverHeader(QPointF point);
  void showCounter(QPointF point);  ///< the value under the pointer, in the status line
  QString headerTip(QPointF point) const;
  void fillRowsMenu(QMenu& menu);  ///< for the current lane
  HeaderMarks headerMarks(const TimelineLayout& placed) const;

  QRect hoverMarks() const;
  void paint(QPainter& painter, const QRect& dirty);
  void paintBase();
  void paintPart(const TimelineLayout& part, bool covers);
  void paintHeaders(const TimelineLayout& placed);

  TimelineView& view;
  std::shared_ptr<const TimelineData> data;  ///< null when there is no trace
  std::shared_ptr<const Trace> predicted;    ///< null when nothing was predicted of it
  Navigation navigation;
  TimelineMarks marks;
  std::vector<double> selected_busy;              ///< by lane, while there is a selection
  std::shared_ptr<const ImportedTrace> imported;  ///< of the shown trace; null for our own
  SpanFinder finder;
  std::vector<TimelineBookmark> bookmarks;
  bool shows_path = false;
  bool shows_differences = false;
  std::vector<CriticalPath> paths;  ///< while they are shown
  RowArrangement arrangement;
  std::optional<int> chosen_lane;  ///< for keys, while no span is current
  QString told_counter;
  std::optional<int> hovered_lane;  ///< whose header is under the pointer
  bool follow = false;
  double scroll = 0;
  QScrollBar* vertical = nullptr;
  QScrollBar* horizontal = nullptr;

  RowRaster raster;
  LabelCache labels;  ///< what is drawn of them is kept between pictures
  QImage base;        ///< lanes and frame; hover and selection are drawn over it
  bool base_valid = false;
  QImage headers;  ///< the lanes' names, which stay while time goes by below
  std::optional<HeadersKey> headers_of;
  QRect painted_marks;  ///< where what changes with the pointer was painted last

  enum class Drag { None, Pressed, Selecting, Panning, HeaderPressed, MovingLane };
  Drag drag = Drag::None;
  QPointF pressed_at;
  Nanoseconds pressed_time = 0;
  TimeRange pressed_range;
  std::optional<TimeRange> selection_before;
  bool space_down = false;
};

}  // namespace lanelab
