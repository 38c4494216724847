// SPDX-License-Identifier: GPL-3.0-only
// The experiments that are part of the program.
#pragma once

#include "ui/window/main_window.h"

namespace lanelab {

/// The demo first, then the tutorial's experiment.
std::vector<MainWindow::Example> bundledExamples();
/// Those that a device map can be made for.
std::vector<NetworkOffer> bundledNetworks();

}  // namespace lanelab
