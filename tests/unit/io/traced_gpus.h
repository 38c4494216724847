// SPDX-License-Identifier: GPL-3.0-only
// Chrome traces of processes and GPUs, told by a few calls, and what gaps are found in them. Times in microseconds.
#pragma once

#include <memory>
#include <string>

#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Events of a trace file. A pid that is no number is a text.
class TracedGpus {
 public:
  TracedGpus& process(const std::string& pid, const std::string& name, const std::string& labels = {});
  TracedGpus& thread(const std::string& pid, const std::string& tid, const std::string& name);
  TracedGpus& call(const std::string& pid, double start, double length, int correlation,
                   const std::string& name = "cudaLaunchKernel");
  /// On stream 7 of the device; `category` may be a copy.
  TracedGpus& kernel(const std::string& pid, int device, double start, double length, int correlation = 0,
                     const std::string& name = "gemm", const std::string& category = "kernel", int stream = 7);
  TracedGpus& step(const std::string& pid, int number, double start, double length);
  TracedGpus& event(const std::string& members);  ///< of a complete event, as JSON, without braces and phase
  TracedGpus& raw(const std::string& json);

  std::string text() const { return "{\"traceEvents\":[" + m_events + "]}"; }

 private:
  std::string m_events;
};

/// The import of a text; an empty trace and a failed expectation if it is none.
std::shared_ptr<const ImportedTrace> importedFrom(const std::string& text);

/// "GPU 0: window 10 busy 5 host 3 unresolved 2; GPU 1: ...", in whole microseconds; "outside 4" and "communication 3"
/// where there is some.
std::string gapsOf(const ImportedTrace& imported, ImportedWindows windows = ImportedWindows::Steps);
std::string gapsOf(const TracedGpus& gpus);

/// The problems and notes of an import: "no_time 2, ambiguous_launch 1".
std::string countsOf(const ImportedTrace& imported);
std::string countsOf(const TracedGpus& gpus);

}  // namespace lanelab
