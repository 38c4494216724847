// SPDX-License-Identifier: GPL-3.0-only
// The list of bookmarks: go to one, rename it in place, delete it, save the table with each lane's busy and idle time.
#pragma once

#include <QDialog>
#include <functional>
#include <optional>

class QPushButton;
class QTableWidget;

namespace lanelab {

class RunBookmarks;

class BookmarksDialog : public QDialog {
  Q_OBJECT

 public:
  /// The time that starts of a variant's ranges are counted from, where that is known. `bookmarks` must outlive the
  /// dialog.
  using StartOf = std::function<std::optional<qint64>(const QString& variant)>;
  BookmarksDialog(RunBookmarks* bookmarks, StartOf startOf, QWidget* parent);

 Q_SIGNALS:
  void jumpRequested(std::size_t index);
  void exportRequested();

 private:
  void fill();
  void updateButtons();
  void removeSelected();
  void jumpToSelected();

  RunBookmarks* m_bookmarks;
  StartOf m_start_of;
  QTableWidget* m_table;
  QPushButton* m_go;
  QPushButton* m_delete;
  QPushButton* m_export;
};

}  // namespace lanelab
