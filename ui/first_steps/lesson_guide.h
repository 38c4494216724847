// SPDX-License-Identifier: GPL-3.0-only
// Between the pane of lessons and the window: views the recorded run of a lesson, and hands the pane what is shown and
// what the user selects in the timeline. Thread: the window's; runs are read off it.
#pragma once

#include <QObject>
#include <memory>

#include "engine/record/run_record.h"
#include "ui/first_steps/recorded_runs.h"
#include "ui/look/latest_work.h"
#include "ui/watch/window_parts.h"

namespace lanelab {

class LessonPane;
class TimelinePresenter;
class TimelineView;

class LessonGuide : public QObject {
  Q_OBJECT

 public:
  LessonGuide(const WindowParts& parts, LessonPane* pane, TimelineView* timeline, TimelinePresenter* presenter,
              std::shared_ptr<RecordedRuns> recorded);

 Q_SIGNALS:
  /// A lesson's run, to be viewed.
  void runOpened(std::shared_ptr<const lanelab::RunRecord> record, const QString& folder, const QString& name);

 private:
  void open(const QString& run, const QString& variant);
  void showWorld();
  void showSelected();

  WindowParts m_parts;
  LessonPane* m_pane;
  TimelineView* m_timeline;
  TimelinePresenter* m_presenter;
  std::shared_ptr<RecordedRuns> m_recorded;
  QString m_folder;  ///< of the run that was opened last
  LatestWork m_reading;
};

}  // namespace lanelab
