// SPDX-License-Identifier: GPL-3.0-only
// What the program does without the user at its window, one function each: exports and reports, screenshots, times; and
// the experiments that are part of it. All begin in the light scheme, which the caller applies.
#pragma once

#include <QApplication>
#include <stop_token>

#include "app/window/options.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// The demo first, then the tutorial's experiment.
std::vector<MainWindow::Example> bundledExamples();
/// Those that a device map can be made for.
std::vector<NetworkOffer> bundledNetworks();

/// The window works for this long, paints and follows a run.
void letItPaint(int milliseconds);

/// Runs the open experiment until its result is shown; fails if it is refused, ends without one, or takes ten minutes.
Status runOnce(MainWindow& window);

/// --export: one picture, the report or everything of a stored run, with the painters of the window.
Status exportFromFolder(const Options& options);

/// --offscreen-report: runs an experiment without a window, and writes its run folder and its report. Progress on
/// stderr, the table and the files written on stdout. A stop cancels: what was measured until then is in the run
/// folder.
Status runOffscreen(const Options& options, Executor& executor, std::stop_token stop);

/// --screenshots: pictures of the window at work, from a real run of the demo. Takes as long as the demo and a little
/// more.
Status saveScreenshots(QApplication& app, MainWindow::Setup setup, const QString& folder);

/// --time-start: how long the program takes from its start as a process to the first picture of its window. Prints one
/// line in seconds, to 10 ms. Loading of libraries counts.
Status printStartTime(MainWindow::Setup setup);

/// --time-window: how quickly the window follows a run. Runs the first example (the demo) and prints the longest pause
/// of the event loop and the time from an action's end to the timeline's picture of it. Wall times, in ms.
Status printWindowTimes(MainWindow::Setup setup);

/// --window-memory: whether memory returns after a run. Runs the experiment in `path`, or the first example if that is
/// empty, five times in one window and prints the resident memory of the idle window after each, and its peak, in MB.
/// On the platform of QT_QPA_PLATFORM if that is set, else offscreen.
Status printWindowMemory(MainWindow::Setup setup, const QString& path);

}  // namespace lanelab
