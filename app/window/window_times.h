// SPDX-License-Identifier: GPL-3.0-only
// --time-window: how quickly the window follows a run.
#pragma once

#include <QApplication>

#include "base/result.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// Runs the first example (the demo) and prints the longest pause of the event loop and the time from an action's end
/// to the timeline's picture of it. Wall times, in ms.
Status printWindowTimes(QApplication& app, MainWindow::Setup setup);

}  // namespace lanelab
