// SPDX-License-Identifier: GPL-3.0-only
// The table of runs: selection that outlives sorting and refreshing, columns that the user chooses, orders and sizes,
// remembered between starts. Thread: GUI.
#pragma once

#include <QStringList>
#include <QTableView>

#include "ui/history/runs_model.h"

class QMenu;

namespace lanelab {

class RunsTable : public QTableView {
  Q_OBJECT

 public:
  explicit RunsTable(RunsModel* model, QWidget* parent = nullptr);

  /// Folders of the selected rows, from the top.
  QStringList selectedFolders() const;
  QString currentFolder() const;
  /// Selects and shows the run; false if it is not in the table.
  bool selectRun(const QString& folder);
  /// In place.
  void rename();
  bool isEditing() const { return state() == EditingState; }
  /// Checkable entries, one a column; the same menu is the header's.
  QMenu* columnMenu() const { return m_columns; }

 Q_SIGNALS:
  void chosen();  ///< the selection or the current run changed
  void starClicked(const QString& folder);
  void edited();  ///< an editor was closed

 protected:
  void closeEditor(QWidget* editor, QAbstractItemDelegate::EndEditHint hint) override;

 private:
  void setUpHeader();
  void makeColumnMenu();
  void restoreColumns();
  void storeColumns() const;
  void restoreSelection();

  RunsModel* m_model;
  QMenu* m_columns;
  QStringList m_selected;
  QString m_current;
};

}  // namespace lanelab
