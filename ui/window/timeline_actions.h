// SPDX-License-Identifier: GPL-3.0-only
// The entries of the View menu that act on the timeline: zoom and steps, finding, paths, bookmarks, comparing.
//
// Thread: the window's.
#pragma once

#include <QObject>

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
  TimelineActions(const Parts& parts, ActionSet* actions);

  void addNavigation(QMenu* view);
  void addMenu(QMenu* view);
  void update();

 private:
  void addFinding(QMenu* menu);
  void addBookmarks(QMenu* menu);
  void addComparing(QMenu* menu);

  Parts m_parts;
  ActionSet* m_actions;
  QMenu* m_compare = nullptr;
};

}  // namespace lanelab
