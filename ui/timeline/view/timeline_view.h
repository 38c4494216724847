// SPDX-License-Identifier: GPL-3.0-only
// WATCH: lanes as rows, spans coloured and lettered, idle hatched. Zoom and pan, hover, selection; follows the newest
// step while a run goes.
//
// Mouse: the wheel zooms at the pointer and Ctrl+wheel scrolls, or the other way round (setWheel()); Shift+wheel, a
// touchpad and the middle button pan (so does dragging while Space is down),
// dragging selects a range, a click a span or a gap, a double click zooms to it. Keys: W S or + - zoom, A D or arrows
// pan, Up Down change the lane, `.` `,` go to the next or previous span, Z and Enter zoom to the selection or the span,
// Backspace goes back, Home or F fits, 1 to 9 show or hide the entries of the legend that have check boxes, Ctrl+Right
// and Ctrl+Left step, `[` `]` go to what the span waited on and to what waited on it, G and Shift+G to the next and
// previous gap, `/` asks what to find, Esc clears. While a gap is selected, arrows go from gap to gap and Enter to what
// it waited for.
//
// With Alt, while a measured trace is shown: an edge of an action or a transfer is pulled, its body goes to another
// lane, Left and Right change its length by 5 %, Up and Down its stage's lane; with Shift all of its kind change. Enter
// makes it a setting of the experiment, Esc restores.
//
// Above the time axis, where lanes leave room for it, is all of the trace (trace_overview.h).
//
// Lanes: a click on the triangle collapses one, a click on the pin keeps it at the top, dragging its header moves it; a
// right click on it has all of that. Keys for the current span's lane, or the one that was clicked: C collapses, P
// pins, Ctrl+Up and Ctrl+Down move it.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "ui/export/exhibit.h"
#include "ui/timeline/change/timeline_changes.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/layout/span_details.h"
#include "ui/timeline/view/pointer_gestures.h"
#include "ui/timeline/view/span_pulling.h"
#include "ui/timeline/view/timeline_bars.h"
#include "ui/timeline/view/timeline_canvas.h"
#include "ui/timeline/view/timeline_search.h"

namespace lanelab {

class TimelineView : public QWidget {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);

  /// Null: empty, with a sentence on what will be here. The visible range is kept when the new trace continues the one
  /// shown.
  void setTrace(std::shared_ptr<const Trace> trace) { replaceTrace(std::move(trace), nullptr); }
  std::shared_ptr<const Trace> trace() const { return m_content.data() ? m_content.data()->shared() : nullptr; }
  /// Why the run failed: shown beside the action that failed, where the trace has one.
  void setFailure(const QString& sentence);
  /// Why there is no trace; empty: that nothing was run.
  void setEmptyText(const QString& sentence);
  QString emptyText() const { return m_canvas.whatIsMissing(); }
  /// A predicted step, in a row of its own below each lane where that is shown; null: none. Stays until the next trace
  /// that does not continue this one.
  void setPrediction(std::shared_ptr<const Trace> predicted);
  /// Stays at the newest step as the trace grows, until the user zooms or pans.
  void setFollow(bool follow) { m_viewport.setFollow(follow); }
  bool follows() const { return m_viewport.follows(); }
  /// How long the first step of the trace that comes next will take, so that its axis is steady while it is followed; 0
  /// where that is not known.
  void setExpectedStep(Nanoseconds length) { m_viewport.setExpectedStep(length); }

  TimeRange visibleRange() const { return m_viewport.visible(); }
  void setVisibleRange(TimeRange range);
  std::optional<TimeRange> selection() const { return m_focus.selection(); }
  void setSelection(std::optional<TimeRange> range) { m_focus.setSelection(range); }
  bool showsDetails() const { return arrangement().showsDetails(); }
  /// Blocks, operators and host threads under each lane.
  void setShowDetails(bool show) {
    m_viewport.rearrange([show](RowArrangement& rows) { rows.showDetails(show); });
  }
  void showRows(RowKind kind, bool show) {
    m_viewport.rearrange([=](RowArrangement& rows) { rows.show(kind, show); });
  }
  /// Which rows are seen and how. Kinds of rows stay; what is shown of lanes stays while traces have the same lanes.
  const RowArrangement& arrangement() const { return m_viewport.arrangement(); }
  void setArrangement(RowArrangement arrangement) { m_viewport.arrange(std::move(arrangement)); }
  std::optional<int> currentLane() const { return m_focus.currentLane(); }

  /// Of the span that was clicked or moved to; nothing without one. It stays while the pointer moves.
  std::optional<SpanDetails> spanDetails() const;
  /// Of the gap, likewise, while no span is selected.
  std::optional<GapDetails> gapDetails() const;
  /// Selects a lane's gap, with a quarter of what is seen at each side; false if it is none of the drawn lanes'.
  bool goToGap(int lane, TimeRange range);
  /// Whether a box beside the selected span describes it; off while a pane does, since it covers other spans.
  void setShowFacts(bool show);

  /// What the wheel does without Ctrl.
  void setWheel(look::WheelUse use) { m_pointer.setWheel(use); }

  /// While something is looked for, no box with facts covers what is found.
  void setFinding(bool finding);
  bool showsBoxes() const { return m_focus.marks().boxes; }

  /// Outlines what is found; span_search.h tells what may be typed. Empty: nothing.
  void setSearch(const QString& text) { m_search.setText(text); }
  QString search() const { return m_search.text(); }
  /// Outlines what else finds spans, until something is searched by a text; empty: nothing.
  void showFound(SpanFinder finder) { m_search.setFinder(std::move(finder)); }
  /// Makes the span of the shown trace the current one, in view; false if it is not drawn. The trace may be a later
  /// snapshot than that in which the span was found.
  bool goToSpan(const SpanMatch& place);
  /// Where the current span is in the trace; nothing without one.
  std::optional<SpanMatch> currentSpan() const;
  SearchState searchState() const { return m_search.state(m_focus.current()); }
  /// What the file behind the shown trace says besides, for arrows from launch calls; call after setTrace().
  void setImported(std::shared_ptr<const ImportedTrace> imported);
  /// Two runs on one axis, in the place of a trace.
  void setAligned(std::shared_ptr<const AlignedRuns> aligned);
  /// Tints actions by how they differ from the other run's, or from what was predicted; if there is neither, nothing
  /// changes.
  bool showsDifferences() const { return m_content.showsDifferences(); }
  void setShowDifferences(bool show);
  bool hasDifferences() const { return m_content.hasDifferences(); }  ///< something to compare with
  /// Bands on the ruler; a double click on one zooms to it.
  void setBookmarks(std::vector<TimelineBookmark> bookmarks);
  bool showsCriticalPath() const { return m_content.showsCriticalPath(); }
  void setShowCriticalPath(bool show);

  /// What the context menu offers to copy and export; called when it opens.
  void setExhibit(std::function<Exhibit()> exhibit) { m_exhibit = std::move(exhibit); }

  /// What keys and menus do with view, lanes and current span.
  TimelineMoves& moves() { return m_moves; }
  /// What it shows, which part of that, and what of it is pointed at.
  const TimelineContent& content() const { return m_content; }
  const TimelineViewport& viewport() const { return m_viewport; }
  const TimelineFocus& focus() const { return m_focus; }
  /// What hands have changed of the measured trace, and what becomes of it.
  TimelineChanges& changes() { return m_changes; }
  SpanPulling& pulling() { return m_pulling; }

  /// What is visible now, or this part of the trace, for export; caption says measured or predicted, lanes, range.
  Picture picture(std::optional<TimeRange> part = {}) const;

 public Q_SLOTS:
  void fit();
  void previousZoom() { m_viewport.previousZoom(); }
  void nextStep() { m_viewport.navigate(&Navigation::nextStep); }
  void previousStep() { m_viewport.navigate(&Navigation::previousStep); }
  void findNext() { find(+1); }  ///< makes the next match the current span, in view; after the last comes the first
  void findPrevious() { find(-1); }

 Q_SIGNALS:
  void selectionChanged();
  void currentChanged();                       ///< another span or gap, or its trace grew
  void hoverChanged(const QString& sentence);  ///< for the status line; empty when nothing is hovered
  void arrangementChanged();
  /// Below it not all lanes are seen; 0 without a trace.
  void leastHeightChanged(int height);
  void searchChanged();      ///< searchState() or search()
  void findRequested();      ///< the user wants to type what to find
  void bookmarkRequested();  ///< of the selection
  void doItRequested();      ///< the pending changes are to become settings of the experiment

 public:
  QSize sizeHint() const override { return {800, 240}; }
  QSize minimumSizeHint() const override { return {320, 130}; }

 protected:
  bool event(QEvent* event) override;  ///< also tool tips of bookmarks
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent*) override { showArranged(); }
  void changeEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override { m_pointer.release(*event); }
  void mouseDoubleClickEvent(QMouseEvent* event) override { m_pointer.doubleClick(*event); }
  void leaveEvent(QEvent*) override { m_pointer.leave(); }
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  void followParts();
  void replaceTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const AlignedRuns> aligned);
  void measureHeight();
  void showArranged();  ///< rows lie elsewhere
  void repaintAll();    ///< and the cached pictures with it
  void updateAll();
  void find(int direction);
  QMenu* newMenu();
  QString tipAt(QPoint point) const;

  bool m_shows_facts = true;
  std::function<Exhibit()> m_exhibit;
  bool m_finding = false;
  int m_least_height = 0;
  TimelineContent m_content;
  TimelineViewport m_viewport;
  TimelineBars m_bars;
  TimelineFocus m_focus;
  TimelineSearch m_search;
  TimelineMoves m_moves;
  TimelineChanges m_changes;
  SpanPulling m_pulling;
  PointerGestures m_pointer;
  TimelineCanvas m_canvas;
};

}  // namespace lanelab
