// SPDX-License-Identifier: GPL-3.0-only
// What a user wants to know of a step that did not happen: other lengths, or another number of micro-batches.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/advise/profile_store.h"
#include "engine/advise/suggestions.h"
#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "engine/sim/forecast_range.h"
#include "profiler/analysis/what_if.h"
#include "profiler/trace/trace.h"

namespace lanelab {

struct WhatIfQuestion {
  WhatIf factors;
  std::optional<int> split_size;  ///< samples a micro-batch, where it is to be another than measured
};

struct WhatIfAnswer {
  std::shared_ptr<const Trace> before;  ///< as measured; where the micro-batches change, as simulated
  std::shared_ptr<const Trace> after;   ///< replayed or simulated
  Nanoseconds step_before = 0;          ///< means
  Nanoseconds step_after = 0;
  bool simulated = false;
  std::optional<ForecastRange> range = {};  ///< of step_after, seconds
};

/// With other lengths only, the measured steps are played again (profiler/analysis/what_if.h), delays and all. Another
/// split size has another order of actions, which nobody measured: then both sides are simulated with the block times
/// that `known` has, which must not be null. Nothing where the schedule is not defined for that split size. Pure; any
/// thread.
std::optional<WhatIfAnswer> answerTo(const WhatIfQuestion& question, const std::shared_ptr<const Trace>& measured,
                                     const MeasuredVariant* known);

/// What the simulator expects of a step of a run's variant, from the block times stored on this machine. Null where
/// nothing can be said: the variant is not in the run, it ran on another machine, or the blocks were not measured; or
/// if a stop is requested. `known`: of the open experiment, which mostly has the network of the run. Reads files and
/// simulates, so off the window's thread.
std::shared_ptr<const Trace> predictedStep(const RunRecord& record, const KnownModel& known, const std::string& variant,
                                           const Executor& executor, const ProfileStore& store, std::stop_token stop);
/// The same of an experiment that runs here, or is going to.
std::shared_ptr<const Trace> predictedStep(const Resolution& resolution, const std::string& variant,
                                           const Executor& executor, const ProfileStore& store, std::stop_token stop);

}  // namespace lanelab
