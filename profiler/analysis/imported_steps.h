// SPDX-License-Identifier: GPL-3.0-only
// The steps that a profiler marked in a trace of another program, and the windows that they give a lane.
//
// Steps belong to the process that marked them: ranks whose traces were merged begin theirs at different times. Of a
// thread a step is its mark. A GPU works for a step behind the host: its step begins with the mark or, if it still
// works for what was launched before, with the end of that, and it ends with the mark or with the last work that was
// launched within the mark, whichever is later. PyTorch's TensorBoard plugin measures steps in the same way
// (kineto#325, torch_tb_profiler/profiler/event_parser.py). The windows of a lane do not overlap.
//
// Times are int64 nanoseconds. Pure; any thread; n log n.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "profiler/trace/imported_trace.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

/// Work of a GPU of which the launch is known.
struct LaunchedWork {
  TimeRange range;
  Nanoseconds launched = 0;  ///< Span::mark
};

/// What distinguishes a GPU of a trace from the others: lane of the trace and device, -1 if unknown.
using GpuKey = std::pair<int, int>;

class ImportedSteps {
 public:
  /// `imported` is null when nothing is known of the rows; then a lane of the trace is a process.
  ImportedSteps(const Trace& trace, const ImportedTrace* imported);

  bool empty() const { return m_hosts.empty() && m_gpus.empty(); }
  /// The windows of a thread of this process: its own steps, or those of the only process that has some.
  std::vector<StepWindow> ofThread(std::uint32_t process) const;
  /// The windows of a GPU: steps of the process that launched its work. If that has none: of the only process that has
  /// some, unless that launched work of other GPUs or its marks have no category; if none or several have some, those
  /// of the GPU's own rows; if no process has any, those of the only GPU that has some. Else nothing.
  std::vector<StepWindow> ofGpu(GpuKey gpu, std::optional<std::uint32_t> launcher,
                                const std::vector<LaunchedWork>& launched) const;
  /// How far apart the processes begin the same step, at most; 0 if no two mark the same one.
  Nanoseconds apart() const;

 private:
  struct Marks {
    std::vector<StepWindow> steps;  ///< by start; those of one number that touch are one
    bool annotated = false;         ///< some have a category, as PyTorch's have, or nothing is known of their rows
  };
  void addMark(const Trace& trace, const ImportedTrace* imported, std::size_t track, const Span& span, int step);
  const Marks* only() const { return m_hosts.size() == 1 ? &m_hosts.begin()->second : nullptr; }

  std::map<std::uint32_t, Marks> m_hosts;  ///< by process
  std::map<GpuKey, Marks> m_gpus;
  std::set<std::uint32_t> m_launchers;  ///< processes that launched work of some GPU
};

}  // namespace lanelab
