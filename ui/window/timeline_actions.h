// SPDX-License-Identifier: GPL-3.0-only
// The entries of the View menu that act on the timeline: zoom and steps, finding, paths, bookmarks, comparing; which
// kinds of rows it shows, stored for the next window, and how its lanes are arranged.
//
// Thread: the window's. What is chosen in the timeline's own menu shows here too.
#pragma once

#include <QObject>
#include <cstdint>

class QMenu;

namespace lanelab {

class ActionSet;
class FindStrip;
class TimelineBookmarks;
class TimelineComparison;
class TimelinePresenter;
class TimelineView;
enum class RowKind : std::uint8_t;

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
  /// All kinds, without storing that: of another program's trace threads and operators are what there is; that is not
  /// what the user chose for own runs.
  void showAllRows();

 private:
  void addNavigation(QMenu* view);
  void addRows(QMenu* view);
  void addKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key);
  void addLanes(QMenu* menu);
  void restoreRows();
  void storeRows();
  void showRowChecks();
  void addMenu(QMenu* view);
  void addFinding(QMenu* menu);
  void addBookmarks(QMenu* menu);
  void addComparing(QMenu* menu);

  Parts m_parts;
  ActionSet* m_actions;
  QMenu* m_compare = nullptr;
};

}  // namespace lanelab
