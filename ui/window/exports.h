// SPDX-License-Identifier: GPL-3.0-only
// File > Export: the timeline, the charts and the report of what is shown, each into a file.
//
// Thread: the window's; a trace is written off it.
#pragma once

#include <QObject>

#include "ui/look/background.h"

class QMenu;

namespace lanelab {

class ActionSet;
class ComparisonView;
class DeviceMapDialog;
class ExportDialog;
class LossView;
class ShownRun;
class SweepView;
class TimelineBookmarks;
class TimelinePresenter;
class TimelineView;

class Exports : public QObject {
  Q_OBJECT

 public:
  struct Views {
    const TimelineView* timeline;
    const ComparisonView* comparison;
    const LossView* loss;
    const SweepView* sweep;
  };
  Exports(const Views& views, const TimelinePresenter* presenter, const ShownRun* run, ExportDialog* dialog);

  void addMenu(QMenu* file, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

  void saveDeviceMap(const DeviceMapDialog& map);
  void saveBookmarks(const TimelineBookmarks& bookmarks);

 private:
  void saveTimeline();
  void saveTrace();
  /// What a view of charts paints, or its table.
  template <class View>
  void saveChart(const View& view, const QString& what, const QString& title);
  void saveReport();
  void saveReportFolder();

  Views m_views;
  const TimelinePresenter* m_presenter;
  const ShownRun* m_run;
  ExportDialog* m_dialog;
  Background m_writer;
};

}  // namespace lanelab
