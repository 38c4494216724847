// SPDX-License-Identifier: GPL-3.0-only
// File > Export: the timeline, the charts and the report of what is shown, each into a file. Asks where it goes and
// shows in the strip what came of it. Folder and file extension of each kind are offered again the next time.
//
// Thread: the window's; a trace is written off it.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "ui/export/picture.h"
#include "ui/look/work.h"
#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;
class ComparisonView;
class DeviceMapDialog;
class LossView;
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
  /// Files are named after the document's experiment.
  Exports(const Views& views, const TimelinePresenter* presenter, const WindowParts& parts);

  void addMenu(QMenu* file, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

  /// Of traces, and of reports.
  Work& writing() { return m_writer; }
  Work& painting() { return m_painter; }

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

  /// PNG, SVG, PDF or CSV; only the one that was chosen is made.
  void savePicture(const QString& what, const QString& title, const std::function<Picture()>& picture,
                   const std::function<std::string()>& csv);
  /// Calls `write` with the chosen file.
  void saveFile(const QString& what, const QString& title, const QStringList& filters,
                const std::function<Status(const QString& path)>& write);
  /// As saveFile(), for what reports its end later, by showOutcome().
  void chooseFile(const QString& what, const QString& title, const QStringList& filters,
                  const std::function<void(const QString& path)>& then);
  /// Calls `then` with a new folder called `what` inside the chosen one.
  void chooseFolder(const QString& what, const QString& title, const std::function<void(const QString& path)>& then);
  /// Refused while another report is being written.
  void paint(std::vector<SteppedWork::Step> steps, const QString& path, const std::function<void()>& undo);
  void showOutcome(const Status& status, const QString& path);
  QString suggestedName(const QString& what) const;

  Views m_views;
  const TimelinePresenter* m_presenter;
  WindowParts m_parts;
  LongWork m_writer;
  SteppedWork m_painter;
};

}  // namespace lanelab
