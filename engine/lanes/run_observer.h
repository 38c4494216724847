// SPDX-License-Identifier: GPL-3.0-only
// What a run tells while it goes. Called on the engine's own threads, one call at a time; return quickly and never
// throw.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/lanes/epoch_result.h"
#include "engine/lanes/run_status.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Which unit of work runs now. `unit` of `units` counts warm-up and counted repeats of all variants.
struct RepeatStart {
  int variant = 0;
  std::string variant_name;
  int repeat = 0;  ///< from 0, among warm-ups or among counted repeats
  bool warmup = false;
  int unit = 0;
  int units = 0;
  int steps = 0;
  std::shared_ptr<const TraceBuilder> trace;  ///< grows while the repeat runs; take snapshots; null when record is off
};

/// Of the repeat that runs.
struct StepDone {
  int variant = 0;
  int step = 0;
  double seconds = 0;
  double loss = 0;
  int samples = 0;
};

class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void preparing(const std::string& /*what*/) {}  ///< "Building ResNet-50 on 2 lanes"
  virtual void repeatStarted(const RepeatStart&) {}
  virtual void stepDone(const StepDone&) {}
  /// After the stepDone of the epoch's last step; with data.epochs only. Epochs count from 0.
  virtual void epochDone(int /*variant*/, int /*epoch*/, const EpochResult&) {}
  virtual void repeatDone(double /*seconds*/) {}
  virtual void warned(const std::string& /*sentence*/) {}
};

}  // namespace lanelab
