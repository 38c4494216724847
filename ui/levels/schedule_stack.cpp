// SPDX-License-Identifier: GPL-3.0-only
#include "ui/levels/schedule_stack.h"

#include <utility>

#include "ui/levels/level_pane.h"
#include "ui/schedule/schedule_pane.h"

namespace lanelab {

ScheduleStack::ScheduleStack(SchedulePane* schedule, std::vector<DeviceInfo> devices, QWidget* parent)
    : QStackedWidget(parent), m_schedule(schedule), m_levels(new LevelPane(std::move(devices))) {
  addWidget(m_schedule);
  addWidget(m_levels);
  m_schedule->addButton(tr("Build..."), tr("Build known schedules action by action, in eight levels"), "scheduleBuild",
                        [this] { build(); });
  connect(m_levels, &LevelPane::closeRequested, this, &ScheduleStack::showSchedule);
}

void ScheduleStack::build() {
  setCurrentWidget(m_levels);
  m_levels->setFocus();
}

void ScheduleStack::showSchedule() {
  const bool had_keyboard = m_levels->hasFocus() || m_levels->isAncestorOf(focusWidget());
  setCurrentWidget(m_schedule);
  if (had_keyboard) m_schedule->setFocus();
}

bool ScheduleStack::isBuilding() const { return currentWidget() == m_levels; }

}  // namespace lanelab
