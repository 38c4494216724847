// SPDX-License-Identifier: GPL-3.0-only
// The lanes of a trace that holds no actions of ours: its GPUs, or where it has no kernels, its threads with operators.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// A kernel or an operator.
struct ImportedWork {
  TimeRange range;
  Nanoseconds launched = kNever;  ///< when its launch call ended
  std::uint32_t stream = 0;       ///< in ImportedLane::copies
  std::uint32_t name = 0;         ///< in Trace::names
};

struct ImportedLane {
  std::string name;
  std::vector<ImportedWork> work;              ///< any order
  std::vector<std::vector<TimeRange>> copies;  ///< by stream; any order
};

/// N of "ProfilerStep#N", which marks a step of the profiler; nothing for other names.
std::optional<int> profilerStepOf(std::string_view name);

/// A GPU is a device of a process, a thread all its rows. Marks of steps are no operators, whatever their category.
std::vector<ImportedLane> importedLanes(const ImportedTrace& imported);

/// The same where nothing is known of the rows: a GPU is a process with kernels, every row a stream or thread of its
/// own.
std::vector<ImportedLane> importedLanes(const Trace& trace);

}  // namespace lanelab
