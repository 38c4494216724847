// Idle time of traces that hold no actions of ours: GPUs by their kernels, else threads by their operators.
//
// A gap before a kernel is `host` until its launch call ended, then `transfer` while a copy runs on the kernel's stream; all else is `unresolved`,
// since nothing in such a file tells more. Windows are the spans named "ProfilerStep#N" (those of the host, where GPUs have some, too), else a lane's
// first to last work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// A kernel or an operator.
struct ForeignWork {
  TimeRange range;
  Nanoseconds launched = never;  ///< when its launch call ended
  std::uint32_t stream = 0;      ///< in ForeignLane::copies
  std::uint32_t name = 0;        ///< in Trace::names
};

struct ForeignLane {
  std::string name;
  std::vector<ForeignWork> work;               ///< any order
  std::vector<std::vector<TimeRange>> copies;  ///< by stream; any order
};

/// By process where there are kernels, else by row. Of a kernel, Span::mark is when its launch call ended.
std::vector<ForeignLane> foreignLanesOf(const Trace& trace);

IdleCauses explainForeign(const Trace& trace, std::vector<ForeignLane> lanes);

}  // namespace lanelab
