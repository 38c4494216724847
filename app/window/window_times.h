// --time-window: how quickly the window follows a run, and how quickly the timeline draws a long trace.
#pragma once

#include <QApplication>

#include "engine/base/result.h"
#include "ui/main_window.h"

namespace lanelab {

/// Runs the first example (the demo) and prints the longest pause of the event loop and the time from an action's end to the timeline's picture of
/// it; then draws 100,000 actions at 1920x1080 at many zooms, on 4 and on 40 lanes, and prints the time of a frame and of a hover. Wall times, in ms.
Status printWindowTimes(QApplication& app, MainWindow::Setup setup);

}  // namespace lanelab
