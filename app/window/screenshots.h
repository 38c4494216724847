// SPDX-License-Identifier: GPL-3.0-only
// --screenshots: pictures of the window at work, from a real run of the demo.
#pragma once

#include <QApplication>

#include "base/result.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// Works in a temporary place for settings and runs, so that nothing of the person's is touched. Takes as long as the
/// demo and a little more.
Status saveScreenshots(QApplication& app, MainWindow::Setup setup, const QString& folder);

}  // namespace lanelab
