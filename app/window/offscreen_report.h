// --offscreen-report: runs an experiment without a window, and writes its run folder and its report.
#pragma once

#include "app/window/options.h"
#include "engine/run/executor.h"

namespace lanelab {

/// Progress on stderr, the table and the files written on stdout. Ctrl+C cancels; what was measured is still reported.
Status runOffscreen(const Options& options, Executor& executor);

}  // namespace lanelab
