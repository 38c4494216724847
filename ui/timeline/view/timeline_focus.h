// SPDX-License-Identifier: GPL-3.0-only
// What of a timeline the user points at: the selected range, the hovered and the current span or gap, the chosen lane,
// and the sentence that says what it is. Knows no widget. GUI thread.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "ui/timeline/paint/layers.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

class TimelineFocus : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive it.
  TimelineFocus(const TimelineContent& content, const TimelineViewport& viewport);

  const TimelineMarks& marks() const { return m_marks; }
  const std::optional<TimeRange>& selection() const { return m_marks.selection; }
  const std::optional<SpanRef>& current() const { return m_marks.current; }
  const std::optional<LaneGap>& currentGap() const { return m_marks.current_gap; }  ///< while no span is current
  const std::optional<QPointF>& pointer() const { return m_marks.pointer; }
  /// By lane its utilization of the selection; empty without one.
  const std::vector<double>& selectedBusy() const { return m_selected_busy; }
  /// Of the current span or gap, else the one that was chosen.
  std::optional<int> currentLane() const;
  std::optional<int> hoveredLane() const { return m_hovered_lane; }
  QString currentSentence() const { return sentenceOf(m_marks.current, m_marks.current_gap); }

  void setSelection(std::optional<TimeRange> range);
  void setCurrent(std::optional<SpanRef> ref);
  void setCurrentGap(std::optional<LaneGap> gap);
  /// A span or a gap, or nothing.
  void setHovered(std::optional<SpanRef> ref, std::optional<LaneGap> gap = {});
  void setPointer(std::optional<QPointF> point) { m_marks.pointer = point; }
  /// Whether facts of the current span are shown beside it; a dialog may want the place.
  void showFacts(bool show);
  /// Whether any box with facts is shown, also of the hovered span.
  void showBoxes(bool show);
  void setFailure(const QString& sentence) { m_marks.failure = sentence; }
  void chooseLane(std::optional<int> lane);  ///< for keys, while no span is current
  void hoverLane(std::optional<int> lane);   ///< whose header is under the pointer
  /// Of a counter or an empty place under the pointer; else empty.
  void reportPlace(const QString& sentence);
  /// After another sentence took its place in the status line.
  void repeatSentence() { Q_EMIT sentenceChanged(m_sentence); }
  /// The content's trace was replaced. Spans of a run in progress stay, those of another one mean nothing any more.
  void setTrace(const TraceChange& change);
  void dropHidden();            ///< rows may have lost their place
  void updateArrows();          ///< of the hovered span or gap, else of the current one
  void describeLane(int lane);  ///< its name and how it is shown
  void describeRange();         ///< the times that are seen

 Q_SIGNALS:
  void selectionChanged();
  void currentChanged();  ///< span or gap
  void hoverChanged();    ///< also when what is hovered stays and the pointer moved
  void headersChanged();  ///< what is written there depends on the pointer
  void laneChosen();
  void described(const QString& words);           ///< for screen readers
  void sentenceChanged(const QString& sentence);  ///< for the status line; empty where nothing is pointed at

 private:
  void findSelectedBusy();
  std::optional<SpanIdentity> identityOf(const std::optional<SpanRef>& ref) const;
  void changeCurrent(std::optional<SpanRef> ref, std::optional<LaneGap> gap);
  QString sentenceOf(SpanRef ref) const;
  QString sentenceOf(const std::optional<SpanRef>& ref, const std::optional<LaneGap>& gap) const;
  std::optional<LaneGap> again(const std::optional<LaneGap>& gap) const;
  void reportSentence();

  const TimelineContent& m_content;
  const TimelineViewport& m_viewport;
  TimelineMarks m_marks;
  std::vector<double> m_selected_busy;
  std::optional<int> m_chosen_lane;
  std::optional<int> m_hovered_lane;
  std::optional<SpanIdentity> m_hovered_span, m_current_span;
  QString m_place_sentence;
  QString m_sentence;  ///< reported last
};

}  // namespace lanelab
