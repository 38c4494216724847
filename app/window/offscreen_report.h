// SPDX-License-Identifier: GPL-3.0-only
// --offscreen-report: runs an experiment without a window, and writes its run folder and its report.
#pragma once

#include <stop_token>

#include "app/window/options.h"
#include "engine/lanes/executor.h"

namespace lanelab {

/// Progress on stderr, the table and the files written on stdout. A stop cancels: what was measured until then is in
/// the run folder.
Status runOffscreen(const Options& options, Executor& executor, std::stop_token stop);

}  // namespace lanelab
