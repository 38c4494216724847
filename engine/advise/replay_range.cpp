// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/replay_range.h"

#include <cmath>
#include <vector>

#include "engine/record/statistics.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

std::optional<ForecastRange> rangeOfReplay(const Trace& measured, const Trace& replayed) {
  const std::optional<Nanoseconds> before = meanStepPeriod(measured), after = meanStepPeriod(replayed);
  if (!before || !after || *before <= 0 || *after <= 0) return std::nullopt;
  std::vector<double> steps;
  for (const Nanoseconds step : stepPeriods(measured))
    if (step > 0) steps.push_back(1e-9 * static_cast<double>(step));
  const double error = steps.size() > 1 ? std::sqrt(logTimesOf(steps).squared_error) : 0;
  return rangeOfChange(1e-9 * static_cast<double>(*before), 1e-9 * static_cast<double>(*after), error);
}

}  // namespace lanelab
