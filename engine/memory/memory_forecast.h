// SPDX-License-Identifier: GPL-3.0-only
// How much memory each lane will take at its highest, before anything runs.
//
// A lane's actions are walked in order; stage_memory.h says what each takes. Tensors that cross a boundary are the
// lane's that made them until the other lane lets go of them, so the lanes' actions are put on one clock first, with
// MACs as times.
#pragma once

#include <vector>

#include "engine/memory/stage_memory.h"
#include "engine/placement/micro_batches.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// What a lane is made of, as far as memory goes.
struct LaneMemoryTraits {
  int cpu_threads = 1;  ///< 0: no CPU, its samples are copied to it
  int memory = 0;       ///< lanes of the same number hand tensors over without a copy
};

struct LaneForecast {
  MemoryParts at_peak;  ///< all 0 for a lane without work
  Action when;          ///< the action in which the peak is first reached; an update where that is it
  MemoryParts resting;  ///< what stays after a step, until the next one drops the gradients
};

struct ForecastQuestion {
  const ModelSpec& model;
  const std::vector<Stage>& stages;
  const MicroBatches& micro_batches;
  const Schedule& schedule;
  TrainingMemory training;
  std::vector<LaneMemoryTraits> lanes;  ///< one for each row of the schedule
};

/// One forecast a lane, or nothing when the schedule cannot be executed (it deadlocks). Not in it: oneDNN's and cuDNN's
/// scratch memory, a few KiB on a CPU, and what a program takes besides its tensors.
std::vector<LaneForecast> forecastMemory(const ForecastQuestion& question);

}  // namespace lanelab
