// SPDX-License-Identifier: GPL-3.0-only
// WATCH: lanes as rows, spans coloured and lettered, idle hatched. Zoom and pan, hover, selection; follows the newest
// step while a run goes.
//
// Mouse: wheel zooms at the pointer, Shift+wheel and the middle button pan (so does dragging while Space is down),
// dragging selects a range, a click a span, a double click zooms to it. Keys: W S or + - zoom, A D or arrows pan, Up
// Down change the lane, `.` `,` go to the next or previous span, Enter zooms to the selection or the span, Backspace
// goes back, Home or F fits, Ctrl+Right and Ctrl+Left step, `[` `]` go to what the span waited on and to what waited on
// it, `/` asks what to find, Esc clears.
//
// Lanes: a click on the triangle collapses one, a click on the pin keeps it at the top, dragging its header moves it; a
// right click on it has all of that. Keys for the current span's lane, or the one that was clicked: C collapses, P
// pins, Ctrl+Up and Ctrl+Down move it.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "profiler/analysis/aligned_runs.h"
#include "profiler/trace/imported_trace.h"
#include "ui/export/picture.h"
#include "ui/timeline/model/row_arrangement.h"
#include "ui/timeline/paint/layers.h"
#include "ui/timeline/view/search_state.h"

namespace lanelab {

class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);
  ~TimelineView() override;

  /// Null: empty, with a sentence on what will be here. The visible range is kept when the new trace continues the one
  /// shown.
  void setTrace(std::shared_ptr<const Trace> trace);
  std::shared_ptr<const Trace> trace() const;
  /// Why the run failed: told beside the action that failed, where the trace has one.
  void setFailure(const QString& sentence);
  /// A predicted step, drawn pale behind every step of the trace; null: none. Stays until the next trace that does not
  /// continue this one.
  void setPrediction(std::shared_ptr<const Trace> predicted);
  /// Stays at the newest step as the trace grows, until the person zooms or pans.
  void setFollow(bool follow);
  bool follows() const;

  TimeRange visibleRange() const;
  void setVisibleRange(TimeRange range);
  std::optional<TimeRange> selection() const;
  void setSelection(std::optional<TimeRange> range);
  bool showsDetails() const;
  void setShowDetails(bool show);  ///< blocks, operators and host threads under each lane
  /// Which rows are seen and how. Kinds of rows stay; what is told of lanes stays while traces have the same lanes.
  const RowArrangement& arrangement() const;
  void setArrangement(RowArrangement arrangement);
  std::optional<int> currentLane() const;

  /// Outlines what is found; span_search.h tells what may be typed. Empty: nothing.
  void setSearch(const QString& text);
  QString search() const;
  SearchState searchState() const;
  /// What the file behind the shown trace says besides, for arrows from launch calls; call after setTrace().
  void setImported(std::shared_ptr<const ImportedTrace> imported);
  /// Two runs on one axis, in the place of a trace.
  void setAligned(std::shared_ptr<const AlignedRuns> aligned);
  /// Tints actions by how they differ from the other run's, or from what was predicted; where there is neither, nothing
  /// changes.
  bool showsDifferences() const;
  void setShowDifferences(bool show);
  bool hasDifferences() const;  ///< something to compare with
  /// Bands on the ruler; a double click on one zooms to it.
  void setBookmarks(std::vector<TimelineBookmark> bookmarks);
  bool showsCriticalPath() const;
  void setShowCriticalPath(bool show);

  /// What is visible now, for export; caption says measured or predicted, lanes, range.
  Picture picture() const;

 public Q_SLOTS:
  void fit();
  void zoomToSelection();
  void previousZoom();
  void nextStep();
  void previousStep();
  void collapseLane();     ///< the current one; expands one that is collapsed
  void collapseReplica();  ///< all lanes of the current one's replica; expands them where all are collapsed
  void pinLane();          ///< the current one; lets go of one that is pinned
  void moveLaneUp();
  void moveLaneDown();
  void collapseLanes();
  void expandLanes();
  void forgetLanes();  ///< all as they were at first
  void findNext();  ///< makes the next match the current span and brings it into view; after the last comes the first
  void findPrevious();
  void goToWaitedOn();  ///< from the current span against its arrow
  void goToWaiting();

 Q_SIGNALS:
  void selectionChanged();
  void hoverChanged(const QString& sentence);  ///< for the status line; empty when nothing is hovered
  void arrangementChanged();
  void searchChanged();      ///< searchState() or search()
  void findRequested();      ///< the person wants to type what to find
  void bookmarkRequested();  ///< of the selection

 public:
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;  ///< also tool tips of bookmarks
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace lanelab
