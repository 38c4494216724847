// SPDX-License-Identifier: GPL-3.0-only
// File > Export: the timeline, the charts and the report of what is shown, each into a file; and copy and export in the
// context menus of the panes' tables.
//
// Thread: the window's; a trace is written off it.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "ui/export/exhibit.h"
#include "ui/look/work.h"
#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;
class ComparisonView;
class DeviceMapDialog;
class LossView;
class MemoryPane;
class StageSummary;
class SweepView;
class TimelineBookmarks;
class TimelinePresenter;
class TimelineView;

class Exports : public QObject {
  Q_OBJECT

 public:
  struct Views {
    TimelineView* timeline;
    const ComparisonView* comparison;
    const LossView* loss;
    const SweepView* sweep;
    const MemoryPane* memory;
    const StageSummary* stages;
  };
  /// Files are named after the document's experiment.
  Exports(const Views& views, const TimelinePresenter* presenter, const WindowParts& parts);

  void addMenu(QMenu* file, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

  /// Of traces, and of reports.
  Work& writing() { return m_writer; }
  Work& painting() { return m_painter; }

  void saveDeviceMap(const DeviceMapDialog& map);
  /// Asks for a file, and writes the run with its experiment, traces and report into it.
  void shareRun(const QString& folder);
  void saveBookmarks(const TimelineBookmarks& bookmarks);

 private:
  Exhibit timeline() const;
  Exhibit stages() const;
  void saveTrace();
  void save(const Exhibit& exhibit);
  void saveReport();
  void saveReportFolder();
  void archive(const QString& folder, const QString& path);

  /// Refused while another report is being written.
  void paint(std::vector<SteppedWork::Step> steps, const QString& path, const std::function<void()>& undo);
  void showPainting();
  void showPrefix();
  void offerTables();

  Views m_views;
  const TimelinePresenter* m_presenter;
  WindowParts m_parts;
  LongWork m_writer;
  SteppedWork m_painter;
};

}  // namespace lanelab
