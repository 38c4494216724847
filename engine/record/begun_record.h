// SPDX-License-Identifier: GPL-3.0-only
// A run's record before anything was measured: the experiment, the machine, and what each variant is going to be.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/memory/memory_forecast.h"
#include "engine/record/run_record.h"
#include "engine/record/training_length.h"

namespace lanelab {

/// Begins now. All variants have plans; `forecasts` are theirs.
RunRecord beginRecord(const Resolution& resolution, const TrainingLength& length,
                      const std::vector<std::vector<LaneForecast>>& forecasts, const Executor& executor);

/// ISO 8601, to the second, unless strftime() is given another format.
std::string utcText(std::time_t time, const char* format = "%Y-%m-%dT%H:%M:%SZ");
std::string utcNow();

}  // namespace lanelab
