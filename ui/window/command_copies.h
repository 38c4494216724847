// SPDX-License-Identifier: GPL-3.0-only
// Edit > Copy as Command: the lines of lanelab-cli that do what the window does with the open experiment and the shown
// run. Thread: GUI.
#pragma once

#include <QObject>
#include <string>

#include "engine/library/copied_command.h"
#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;
class TimelinePresenter;

class CommandCopies : public QObject {
  Q_OBJECT

 public:
  CommandCopies(const WindowParts& parts, const TimelinePresenter* presenter);
  void addMenu(QMenu* edit, ActionSet& actions);
  void updateActions(const ActionSet& actions) const;

 private:
  void copy(const std::string& command) const;
  EditedExperiment experiment() const;
  std::string gaps() const;

  WindowParts m_parts;
  const TimelinePresenter* m_presenter;
};

}  // namespace lanelab
