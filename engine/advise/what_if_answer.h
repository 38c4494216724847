// SPDX-License-Identifier: GPL-3.0-only
// What a user wants to know of a step that did not happen: other lengths, or another number of micro-batches.
#pragma once

#include <memory>
#include <optional>

#include "engine/advise/suggestions.h"
#include "profiler/analysis/what_if.h"

namespace lanelab {

struct WhatIfQuestion {
  WhatIf factors;
  std::optional<int> split_size;              ///< samples per micro-batch, where it is to be another than measured
  std::optional<ScheduleKind> schedule = {};  ///< another than the variant has
};

struct WhatIfAnswer {
  std::shared_ptr<const Trace> before;  ///< as measured; where the micro-batches change, as simulated
  std::shared_ptr<const Trace> after;   ///< replayed or simulated
  Nanoseconds step_before = 0;          ///< means
  Nanoseconds step_after = 0;
  bool simulated = false;
  std::optional<ForecastRange> range = {};  ///< of step_after, seconds
};

/// Whether the variant can have that split size and schedule; BadInput says why not, also if the schedule splits the
/// backward and the times of its parts are not known.
Status checkQuestion(const WhatIfQuestion& question, const MeasuredVariant& known);

/// With other lengths only, the measured steps are played again (profiler/analysis/what_if.h), delays and all. Another
/// split size or schedule has another order of actions, which nobody measured: then both sides are simulated with the
/// block times that `known` has, which must not be null. Nothing where the schedule is not defined for that split size.
/// Pure; any thread.
std::optional<WhatIfAnswer> answerTo(const WhatIfQuestion& question, const std::shared_ptr<const Trace>& measured,
                                     const MeasuredVariant* known);

/// How sure a replay is of its mean step, seconds: the range of forecast_range.h for two lengths of which one was
/// measured. `replayed` is `measured` played again with other lengths; the error of its steps counts from two steps on.
/// None if there are no steps.
std::optional<ForecastRange> rangeOfReplay(const Trace& measured, const Trace& replayed);

}  // namespace lanelab
