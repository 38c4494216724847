// SPDX-License-Identifier: GPL-3.0-only
// A level with all that is done in it: choose it, read what it teaches, place and take back, see how far the step is
// from par, train the finished order. Each level has its own board for as long as the window is open. Thread: GUI.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"
#include "engine/levels/known_order.h"

class QComboBox;
class QHBoxLayout;
class QPushButton;
class QToolButton;

namespace lanelab {

class ElidedLabel;
class LevelView;

namespace look {
class BriefLabel;
}

class LevelPane : public QWidget {
  Q_OBJECT

 public:
  explicit LevelPane(std::vector<DeviceInfo> devices, QWidget* parent = nullptr);

  /// Counted from 0; nothing happens beyond the last.
  void showLevel(std::size_t level);
  const LevelBoard& board() const { return m_boards[m_level]; }
  void setRunning(bool running);  ///< nothing else can run meanwhile

 Q_SIGNALS:
  /// The user wants to train the finished order.
  void runRequested(const lanelab::Experiment& experiment);
  void closeRequested();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  LevelBoard& built() { return m_boards[m_level]; }
  const Level& level() const { return board().level(); }
  QHBoxLayout* makeControls();
  void connectView();
  void place(const Action& action, LaneId lane);
  void undo();
  void redo();
  void clear();
  void showHint();
  void showNext();
  void run();
  void refresh();
  void refreshChoice();
  void refreshButtons();
  void showMove();
  void say(const QString& sentence, bool wrong = false);
  QString headline() const;

  std::vector<DeviceInfo> m_devices;
  std::vector<LevelBoard> m_boards;
  std::size_t m_level = 0;
  std::vector<KnownOrder> m_known;  ///< of the level
  std::size_t m_next_hint = 0;
  bool m_running = false;

  QComboBox* m_choice;
  ElidedLabel* m_headline;
  look::BriefLabel* m_lesson;
  LevelView* m_view;
  ElidedLabel* m_sentence;
  QPushButton* m_hint = nullptr;
  QToolButton* m_undo = nullptr;
  QToolButton* m_redo = nullptr;
  QToolButton* m_clear = nullptr;
  QPushButton* m_run = nullptr;
  QPushButton* m_next = nullptr;
  QToolButton* m_close = nullptr;
};

}  // namespace lanelab
