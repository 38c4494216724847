// SPDX-License-Identifier: GPL-3.0-only
// The lanes of a trace of another program: its GPUs, or where it has no kernels its threads with operators.
//
// Pure; any thread; linear in the spans.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/analysis/imported_steps.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// A kernel that computes, or an operator.
struct ImportedWork {
  TimeRange range;
  Nanoseconds launched = kNever;  ///< when its launch call ended
  std::uint32_t stream = 0;       ///< in ImportedLane::copies
  std::uint32_t name = 0;         ///< in Trace::names
};

struct ImportedLane {
  std::string name;                            ///< no two lanes have the same
  std::uint32_t process = 0;                   ///< of a thread
  GpuKey gpu;                                  ///< of a GPU
  std::optional<std::uint32_t> launcher;       ///< the process that launched most of a GPU's work, if known
  std::vector<std::uint32_t> tracks;           ///< with work of a GPU, or of a thread all; in Trace::tracks
  std::vector<ImportedWork> work;              ///< any order
  std::vector<std::vector<TimeRange>> copies;  ///< by stream; any order
  std::vector<TimeRange> memsets;              ///< any order
  std::vector<TimeRange> communication;        ///< any order
  std::vector<LaunchedWork> launched;          ///< all work of a GPU whose launch is known

  bool empty() const { return work.empty() && communication.empty(); }
};

/// Where nothing is known of the rows, `imported` is null: then a GPU is a process with kernels, and every row a stream
/// or thread of its own.
std::vector<ImportedLane> importedGpus(const Trace& trace, const ImportedTrace* imported);
std::vector<ImportedLane> importedThreads(const Trace& trace, const ImportedTrace* imported);

}  // namespace lanelab
