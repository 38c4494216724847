// SPDX-License-Identifier: GPL-3.0-only
// The table of runs: selection that outlives sorting and refreshing, columns that the user chooses, orders and sizes,
// groups that fold; all remembered between starts. Thread: GUI.
#pragma once

#include <QStringList>
#include <QTableView>

#include "ui/history/runs_model.h"

class QMenu;

namespace lanelab {

class GroupMenu;

class RunsTable : public QTableView {
  Q_OBJECT

 public:
  explicit RunsTable(RunsModel* model, QWidget* parent = nullptr);

  /// Folders of the selected rows, from the top, each once; the row of a group is all its runs, folded or not.
  QStringList selectedFolders() const;
  /// Of the row of a group its run, if it is only one.
  QString currentFolder() const;
  bool isOnGroup() const { return currentIndex().isValid() && m_model->isGroup(currentIndex().row()); }
  void foldCurrent(bool folded);
  /// Selects and shows the run; false if it is not in the table.
  bool selectRun(const QString& folder);
  /// In place.
  void rename();
  bool isEditing() const { return state() == EditingState; }
  /// Checkable entries, one a column; the same menu is the header's.
  QMenu* columnMenu() const { return m_columns; }
  /// What runs are grouped by.
  GroupMenu* groupMenu() const { return m_grouping; }

 Q_SIGNALS:
  void chosen();  ///< the selection or the current run changed
  void starClicked(const QString& folder);
  void edited();  ///< an editor was closed

 protected:
  void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  /// With what a group has in common written across its row, whichever columns are shown.
  void paintEvent(QPaintEvent* event) override;

 private:
  void setUpHeader();
  void makeColumnMenu();
  void restoreColumns();
  void storeColumns() const;
  void setUpGroups();
  void setGrouping(RunGrouping grouping);
  void fold(int row, bool folded);
  void paintGroup(QPainter& painter, int row, const QRect& line) const;
  QRect lineOf(int row) const;
  void restoreSelection();

  RunsModel* m_model;
  QMenu* m_columns;
  GroupMenu* m_grouping;
  QStringList m_selected;  ///< keys of rows, while the model is reset
  QString m_current;
};

}  // namespace lanelab
