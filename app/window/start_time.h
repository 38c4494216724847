// SPDX-License-Identifier: GPL-3.0-only
// --time-start: how long the program takes from its start as a process to the first picture of its window.
#pragma once

#include <QApplication>

#include "base/result.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// Prints one line in seconds, to 10 ms. Loading of libraries counts.
Status printStartTime(QApplication& app, MainWindow::Setup setup);

}  // namespace lanelab
