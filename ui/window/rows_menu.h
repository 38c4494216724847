// SPDX-License-Identifier: GPL-3.0-only
// View > Timeline Rows: which kinds of rows the timeline shows, stored for the next window, and how its lanes are
// arranged.
//
// Thread: the window's. What is chosen in the timeline's own menu shows here too.
#pragma once

#include <QObject>
#include <cstdint>

class QMenu;

namespace lanelab {

class ActionSet;
class TimelineView;
enum class RowKind : std::uint8_t;

class RowsMenu : public QObject {
  Q_OBJECT

 public:
  /// `details`, by its name in the set, is the entry that shows several kinds at once. Both must outlive it.
  RowsMenu(TimelineView* timeline, ActionSet* actions, QMenu* view);

  /// All kinds, without storing that: of another program's trace threads and operators are what there is; that is not
  /// what the user chose for own runs.
  void showAll();

 private:
  void addKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key);
  void addLanes(QMenu* menu);
  void restore();
  void store();
  void showChecks();

  TimelineView* m_timeline;
  ActionSet* m_actions;
};

}  // namespace lanelab
