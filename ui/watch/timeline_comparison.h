// SPDX-License-Identifier: GPL-3.0-only
// Puts a second trace on one axis with the shown one: another variant of the run, or that of another run's folder.
//
// Thread: the window's; reading and aligning long traces happens off it.
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "profiler/trace/trace.h"
#include "ui/look/work.h"
#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class TimelinePresenter;
struct AlignedRuns;

class TimelineComparison : public QObject {
  Q_OBJECT

 public:
  TimelineComparison(const WindowParts& parts, TimelinePresenter* presenter);

  /// Whether a run's trace is shown, so that another can be compared with it.
  bool isPossible() const;
  /// One entry per other variant of the run.
  void fillMenu(QMenu* menu);
  void chooseRun();
  /// With the variant of the same name, else with the last one that has a timeline. Errors are shown in the strip.
  void alignWithRun(const QString& folder);
  /// Of the other run's trace.
  Work& reading() { return m_reader; }

  /// What to compare with.
  struct OtherTrace {
    std::shared_ptr<const Trace> trace;  ///< null if it cannot be had
    QString words;                       ///< its name, or what is wrong
    int samples = 0;                     ///< per micro-batch; 0: not known
    int batch = 0;
  };

 private:
  void alignWith(const std::function<OtherTrace(const WorkControl&)>& read);
  void show(std::shared_ptr<const AlignedRuns> aligned, const std::shared_ptr<const Trace>& first, const QString& name,
            bool same_batch);

  WindowParts m_parts;
  TimelinePresenter* m_presenter;
  LongWork m_reader;
};

}  // namespace lanelab
