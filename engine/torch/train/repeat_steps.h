// SPDX-License-Identifier: GPL-3.0-only
// The steps of one repeat, and what is done between them: epochs' results and checkpoints.
#pragma once

#include "engine/lanes/executor.h"
#include "engine/torch/train/session_lanes.h"

namespace lanelab {

/// Runs the experiment's steps on lanes that are ready for the first of them, or continues from the request's
/// checkpoint. Reports every step and epoch to the request, those of the checkpoint too. The outcome has no peaks.
RepeatOutcome runSteps(SessionLanes& lanes, const RepeatRequest& request);

}  // namespace lanelab
