// SPDX-License-Identifier: GPL-3.0-only
// The checkpoint of a repeat that runs: the state of all lanes goes to its file, and comes back from there.
#pragma once

#include "engine/lanes/executor.h"
#include "engine/torch/files/checkpoint.h"
#include "engine/torch/train/session_lanes.h"

namespace lanelab {

/// Whether one is written after this step of `steps`; lanes meet there. None is after the last.
bool isCheckpointDue(const CheckpointPlan& plan, int step, int steps);

/// While no lane runs. `done` has what was measured so far; the state is collected here, from all processes. Returns
/// when the file is written, in every process.
Status storeCheckpoint(SessionLanes& lanes, const CheckpointPlan& plan, Checkpoint done);

/// Sets the lanes to the state in the plan's file, and returns what was measured before it was written. That is
/// nothing, and lanes stay as they are, if the plan does not resume or its file is missing or of another repeat.
Result<Checkpoint> restoreCheckpoint(SessionLanes& lanes, const CheckpointPlan& plan);

}  // namespace lanelab
