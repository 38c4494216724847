// SPDX-License-Identifier: GPL-3.0-only
// What the critical path is made of, and how much room the rest has: by stage and phase, and by block.
//
// Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "profiler/analysis/critical_path.h"

namespace lanelab {

struct PathPart {
  int stage = -1;
  Phase phase = Phase::None;
  int lane = -1;         ///< which replica of the stage; -1 where the stage lies on one lane
  Nanoseconds time = 0;  ///< of these actions on the critical path
  /// How much longer the tightest of these actions may take before the step does; delays and transfers as measured.
  Nanoseconds slack = 0;
};

struct PathBlock {
  std::string name;
  Nanoseconds time = 0;  ///< of the block in actions on the critical path
};

struct PathParts {
  Nanoseconds path = 0;           ///< length of all paths
  std::vector<PathPart> parts;    ///< all stages and phases, the largest time first, then the least slack
  std::vector<PathBlock> blocks;  ///< with time on the path, the largest first; empty where none are recorded
};

/// Of a trace, its actions and its critical paths. n log n in the number of spans.
PathParts pathParts(const Trace& trace, const TracedActions& traced, const std::vector<CriticalPath>& paths);

}  // namespace lanelab
