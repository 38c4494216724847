// SPDX-License-Identifier: GPL-3.0-only
// A form layout whose rows come and go. QFormLayout::setRowVisible() of Qt 6.4 keeps a place for hidden rows that wrap
// their text which may lie behind its own list, and writes there; so a row that is not shown is not in the layout at
// all.
#pragma once

#include <QFormLayout>
#include <vector>

namespace lanelab {

class RowsLayout : public QFormLayout {
 public:
  RowsLayout();

  /// `field`: of a row that was added before the first call of this function. Shown again, it stands where it stood.
  void setRowShown(QWidget* field, bool shown);
  bool isRowShown(const QWidget* field) const;

 private:
  struct Row {
    QWidget* label = nullptr;  ///< null: the field takes the whole width
    QWidget* field = nullptr;
    bool shown = true;
  };
  void rememberRows();
  void takeOut(const Row& row);

  std::vector<Row> m_rows;  ///< all, from top to bottom
};

}  // namespace lanelab
