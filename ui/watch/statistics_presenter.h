// SPDX-License-Identifier: GPL-3.0-only
// Carries between timeline and statistics: the pane counts what the timeline shows, also while a run goes, in the range
// that is selected there; a chosen group is outlined on the timeline, and a chosen span becomes its current one.
//
// Two runs on one axis: the figures are of the first, all of it, as those of idle time are. Thread: the window's.
// Timeline, pane and presenter must outlive it.
#pragma once

#include <QObject>

#include "ui/statistics/shown_statistics.h"

namespace lanelab {

class StatisticsPane;
class TimelinePresenter;
class TimelineView;

class StatisticsPresenter : public QObject {
  Q_OBJECT

 public:
  StatisticsPresenter(TimelineView* timeline, StatisticsPane* pane, TimelinePresenter* presenter, QObject* parent);

 private:
  void follow();
  void followCurrent();
  bool showsTwoRuns() const;
  void goTo(const StatisticsTrace& of, const SpanMatch& span);

  TimelineView* m_timeline;
  StatisticsPane* m_pane;
  TimelinePresenter* m_presenter;
  StatisticsTrace m_counted;
};

}  // namespace lanelab
