// SPDX-License-Identifier: GPL-3.0-only
// What the simulator expects of a step that is shown, from the block times stored on this machine. Reads files and
// simulates, so off the window's thread.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace lanelab {

class Executor;
class Resolution;
struct RunRecord;
struct Trace;

/// Of a variant of a run, or without one of the open experiment, which is going to run here.
struct StepQuestion {
  std::shared_ptr<const RunRecord> record;
  std::shared_ptr<const Resolution> resolution;  ///< of the open experiment, which mostly has the run's network; never
                                                 ///< null
  std::string variant;
};

/// Null where nothing can be said: there is no such variant, it ran on another machine, or its blocks were not
/// measured; or if a stop is requested.
using PredictStep = std::function<std::shared_ptr<const Trace>(const StepQuestion& question, std::stop_token stop)>;

/// From the block times that are stored for this user.
PredictStep predictFromStoredTimes(std::shared_ptr<const Executor> executor);

}  // namespace lanelab
