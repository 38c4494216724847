// SPDX-License-Identifier: GPL-3.0-only
// Records into a trace, from its beginning to its end, which share of the machine's cores other programs used: a
// counter of the whole run (kOtherProgramsCounter, in percent), a value every 0.2 s. A thread of its own reads Linux's
// counts of CPU time, which takes some 15 microseconds. Where the system reports none, there is no counter.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "engine/record/machine_load.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

using ReadCpuSeconds = std::function<std::optional<CpuSeconds>()>;

class LoadRecorder {
 public:
  /// `read` is called on the recorder's thread.
  explicit LoadRecorder(std::shared_ptr<TraceBuilder> trace, ReadCpuSeconds read = cpuSecondsNow,
                        std::chrono::milliseconds period = kPeriod);
  LoadRecorder(const LoadRecorder&) = delete;
  LoadRecorder& operator=(const LoadRecorder&) = delete;

  /// Linux counts in hundredths of a second, so that shorter ones would be noise.
  static constexpr std::chrono::milliseconds kPeriod{200};

 private:
  std::jthread m_thread;
};

}  // namespace lanelab
