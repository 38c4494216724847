// SPDX-License-Identifier: GPL-3.0-only
// "Group By": what the table of runs is grouped by, and whether all groups are folded. Thread: GUI.
#pragma once

#include <QMenu>

#include "engine/library/run_groups.h"

class QActionGroup;

namespace lanelab {

class GroupMenu : public QMenu {
  Q_OBJECT

 public:
  explicit GroupMenu(QWidget* parent = nullptr);
  void setGrouping(RunGrouping grouping);

 Q_SIGNALS:
  void chosen(lanelab::RunGrouping grouping);
  void foldRequested(bool folded);  ///< of all groups

 private:
  QActionGroup* m_choices;
  QAction* m_fold;
  QAction* m_unfold;
};

}  // namespace lanelab
