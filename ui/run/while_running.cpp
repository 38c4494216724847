// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/while_running.h"

#include <QCoreApplication>

#include "ui/look/message_strip.h"
#include "ui/run/run_controller.h"

namespace lanelab {

bool refusedWhileRunning(const RunController& controller, MessageStrip& messages) {
  if (!controller.running()) return false;
  messages.say(
      MessageStrip::Kind::Warning,
      QCoreApplication::translate("WhileRunning", "A run goes on. Cancel it first (Ctrl+.), or wait for its end."));
  return true;
}

}  // namespace lanelab
