// SPDX-License-Identifier: GPL-3.0-only
// What a step loop tells its lanes and links before each step.
#pragma once

namespace lanelab {

struct StepCommand {
  int step = 0;
  bool recorded = true;  ///< where a trace was given
};

}  // namespace lanelab
