// SPDX-License-Identifier: GPL-3.0-only
// The entries of the View menu that act on the timeline: zoom and steps, finding, paths, bookmarks, comparing; which
// kinds of rows it shows, stored for the next window, and how its lanes are arranged.
//
// Thread: the window's. What is chosen in the timeline's own menu shows here too.
#pragma once

#include <QObject>

#include "ui/timeline/model/row_arrangement.h"

class QMenu;

namespace lanelab {

class ActionSet;
class FindStrip;
class TimelineBookmarks;
class TimelineComparison;
class TimelinePresenter;
class TimelineView;

class TimelineActions : public QObject {
  Q_OBJECT

 public:
  struct Parts {
    TimelineView* timeline;
    FindStrip* find;
    TimelinePresenter* presenter;
    TimelineBookmarks* bookmarks;
    TimelineComparison* comparison;
  };
  /// `actions` must outlive it.
  TimelineActions(const Parts& parts, ActionSet* actions, QMenu* view);

  void update();

 private:
  /// Of other programs' traces threads and operators are what there is, so their rows are chosen apart from those of
  /// runs, and all are shown at first.
  enum class TraceKind { Run, Imported };

  void addNavigation(QMenu* view);
  void addRows(QMenu* view);
  void addKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key);
  void addLanes(QMenu* menu);
  void restoreRows();
  void storeRows();
  void showRowChecks();
  void addMenu(QMenu* view);
  void addFollowing(QMenu* menu);
  void addFinding(QMenu* menu);
  void addBookmarks(QMenu* menu);
  void addComparing(QMenu* menu);

  QString keyOf(RowKind kind) const;  ///< in the settings, for the kind of trace that is shown

  Parts m_parts;
  ActionSet* m_actions;
  TraceKind m_trace_kind = TraceKind::Run;
  bool m_restoring = false;  ///< what changes then was not chosen now
  QMenu* m_compare = nullptr;
};

}  // namespace lanelab
