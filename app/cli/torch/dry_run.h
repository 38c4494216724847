// SPDX-License-Identifier: GPL-3.0-only
// run --dry-run: what a run would take, without running it.
#pragma once

#include "engine/lanes/executor.h"

namespace lanelab {

/// Checks the experiment against this machine and prints the forecast of each lane's peak memory, with warnings on
/// stderr.
Status dryRun(const Resolution& resolution, const Executor& executor, bool json);

}  // namespace lanelab
