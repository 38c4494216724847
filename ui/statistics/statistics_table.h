// SPDX-License-Identifier: GPL-3.0-only
// A table of the pane of statistics: one row is current, Enter or a double click opens it, Esc lets it go, Ctrl+C
// copies it. Columns have the width of what they show at first, and any that the user gives them. Thread: GUI.
#pragma once

#include <QTableView>
#include <vector>

namespace lanelab {

class StatisticsTable : public QTableView {
  Q_OBJECT

 public:
  StatisticsTable(const QString& name, const QString& accessible_name, QWidget* parent = nullptr);
  /// `samples`: a text for each column that most of its cells are not wider than; `stretched` takes the rest of the
  /// table.
  void setUpColumns(const std::vector<QString>& samples, int stretched);
  /// Makes the row current without a word to anybody; none: -1.
  void selectQuietly(int row);

 Q_SIGNALS:
  void rowChosen(int row);  ///< by a click or a key
  void rowOpened(int row);  ///< Enter, or a double click
  void choiceDropped();     ///< Esc

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

 private:
  QString currentRowText() const;

  int m_stretched = 0;
  bool m_quiet = false;
};

}  // namespace lanelab
