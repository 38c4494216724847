// SPDX-License-Identifier: GPL-3.0-only
// A source of spans beside the lanes' own: CUPTI's GPU activity.
#pragma once

#include <string>

#include "profiler/collect/launch_owner.h"
#include "profiler/trace/gpu_activity.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Started before a repeat's first step and stopped after its last, on the runner's thread. A collector that cannot
/// work says why in `start` and the run continues without it.
class Collector {
 public:
  virtual ~Collector() = default;

  /// Empty when it collects; otherwise one sentence for the user.
  virtual std::string start(TraceBuilder& builder) = 0;
  /// Everything that happened before is in the builder when it returns.
  virtual void stop() = 0;

  /// From the first to the second call, what the calling thread launches belongs to `owner`. In pairs, not nested; any
  /// thread while it collects.
  virtual void launchesBegin(const LaunchOwner& owner) = 0;
  virtual void launchesEnd() = 0;

  virtual GpuActivity counts() const = 0;  ///< of the last start; call it after stop()
  virtual std::string notice() const = 0;  ///< a sentence on what a collector that works leaves out; mostly empty
};

/// The pair of calls as a scope; nothing without a collector.
class LaunchScope {
 public:
  LaunchScope(Collector* collector, const LaunchOwner& owner) : m_collector(collector) {
    if (m_collector) m_collector->launchesBegin(owner);
  }
  ~LaunchScope() {
    if (m_collector) m_collector->launchesEnd();
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

 private:
  Collector* m_collector;
};

}  // namespace lanelab
