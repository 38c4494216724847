// SPDX-License-Identifier: GPL-3.0-only
// The queued runs, to be ordered and removed; and the button of the status bar that says how many there are. Thread:
// GUI.
#pragma once

#include <QDialog>
#include <QToolButton>

class QListWidget;
class QPushButton;

namespace lanelab {

class RunQueue;

class QueueDialog : public QDialog {
  Q_OBJECT

 public:
  /// `queue` outlives it.
  QueueDialog(RunQueue* queue, QWidget* parent);

 private:
  void list();
  void updateButtons();
  int chosenId() const;

  RunQueue* m_queue;
  QListWidget* m_list;
  QPushButton* m_up;
  QPushButton* m_down;
  QPushButton* m_remove;
  QPushButton* m_clear;
};

/// "2 queued"; hidden while nothing is.
class QueueButton : public QToolButton {
  Q_OBJECT

 public:
  /// `queue` outlives it.
  explicit QueueButton(const RunQueue* queue, QWidget* parent = nullptr);
};

}  // namespace lanelab
