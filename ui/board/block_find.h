// SPDX-License-Identifier: GPL-3.0-only
// The field over the board that finds blocks by name, and which of how many is selected. Hidden until it is
// opened; Enter finds the next, Esc closes it.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/model/model_spec.h"

class QLabel;
class QLineEdit;

namespace lanelab {

class BoardView;

class BlockFind : public QWidget {
  Q_OBJECT

 public:
  /// `board` must outlive it.
  explicit BlockFind(BoardView* board, QWidget* parent = nullptr);

 public Q_SLOTS:
  void open();   ///< with the keyboard in the field, its text selected
  void close();  ///< the keyboard goes to the board

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void search();
  void step(int by);
  void showFound();

  BoardView* m_board;
  QLineEdit* m_field;
  QLabel* m_count;
  std::vector<BlockId> m_found;
  std::size_t m_place = 0;  ///< in m_found
};

}  // namespace lanelab
