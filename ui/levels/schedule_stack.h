// SPDX-License-Identifier: GPL-3.0-only
// The pane Schedule: the schedule of the variant, or in its place the levels of Build a Schedule. Thread: GUI.
#pragma once

#include <QStackedWidget>
#include <vector>

#include "engine/experiment/device_info.h"

namespace lanelab {

class LevelPane;
class SchedulePane;

class ScheduleStack : public QStackedWidget {
  Q_OBJECT

 public:
  /// Adds its button to the schedule pane.
  ScheduleStack(SchedulePane* schedule, std::vector<DeviceInfo> devices, QWidget* parent = nullptr);

  LevelPane& levels() { return *m_levels; }
  void build();             ///< shows the levels, with the keyboard in the board
  void showSchedule();      ///< of the variant, which is as it was
  bool isBuilding() const;  ///< the levels are shown

 private:
  SchedulePane* m_schedule;
  LevelPane* m_levels;
};

}  // namespace lanelab
