#pragma once

namespace lanelab {

/// What a lane is told to do next.
struct StepCommand {
  int step = 0;
  bool recorded = true;  ///< where a trace was given
};

}  // namespace lanelab
