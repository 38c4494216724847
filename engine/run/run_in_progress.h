// SPDX-License-Identifier: GPL-3.0-only
// A run between its first and its last write: sessions are made, repeats run in their order, and what they measured
// goes into the record and its folder.
#pragma once

#include <stop_token>

#include "engine/run/runner.h"

namespace lanelab {

/// All that a run needs; all variants have plans. What is referred to outlives the run.
struct PreparedRun {
  const Resolution& resolution;
  CheckedRun checked;
  Executor& executor;
  RunFolder folder;
  const RunOptions& options;
  RunObserver& observer;
  std::stop_token stop;
};

/// Blocks until the run ended; as runExperiment().
Result<RunRecord> executeRun(PreparedRun run);

}  // namespace lanelab
