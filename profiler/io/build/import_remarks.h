// SPDX-License-Identifier: GPL-3.0-only
// Sentences about what an import left out, cut or could not tell, for people who read the idle times of the trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profiler/io/build/launch_join.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// How much work of GPUs a file holds.
struct GpuWorkCounts {
  std::int64_t kernels = 0;
  std::int64_t others = 0;  ///< copies and memsets

  void add(Category category) {
    const bool kernel = category == Category::Kernel || category == Category::Communication;
    kernels += kernel ? 1 : 0;
    others += isGpuWork(category) && !kernel ? 1 : 0;
  }
};

/// Work that was cut, since it lasted over later work of its stream.
struct CoveringWork {
  std::int64_t count = 0;
  Nanoseconds longest = 0;  ///< as the file has it
  std::uint32_t longest_name = 0;
  Nanoseconds removed = 0;  ///< of all lengths

  void add(const Span& span, Nanoseconds end) {
    ++count;
    removed += span.end - end;
    if (span.end - span.start <= longest) return;
    longest = span.end - span.start;
    longest_name = span.name;
  }
};

/// `without` of the work have no time; `uncounted` of these are not among `work`.
std::string noTimeRemark(std::int64_t without, std::int64_t uncounted, const GpuWorkCounts& work);
std::string coveringRemark(const CoveringWork& cut, std::string_view name);
std::string beforeLaunchRemark(const JoinedLaunches& launches, std::string_view name);

}  // namespace lanelab
