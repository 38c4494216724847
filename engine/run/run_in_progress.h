// SPDX-License-Identifier: GPL-3.0-only
// A run between its first and its last write: sessions are made, repeats run in their order, and what they measured
// goes into the record and its folder.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/memory/memory_forecast.h"
#include "engine/record/training_length.h"
#include "engine/run/runner.h"

namespace lanelab {

/// All that a run needs; all variants have plans. What is referred to outlives the run.
struct PreparedRun {
  const Resolution& resolution;
  TrainingLength length;
  std::vector<std::vector<LaneForecast>> forecasts;  ///< of the variants
  Executor& executor;
  RunFolder folder;
  const RunOptions& options;
  RunObserver& observer;
  std::stop_token stop;
  std::optional<RunRecord> earlier;  ///< to continue with
  SharedWeights weights;             ///< that the check read; null: none
};

/// Blocks until the run ended; as runExperiment().
Result<RunRecord> executeRun(PreparedRun run, const std::vector<std::string>& warnings);

}  // namespace lanelab
