// A source of spans beside the lanes' own: CUPTI's GPU activity, RecordFunction's operators.
#pragma once

#include <string>

#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Started before a repeat's first step and stopped after its last, on the runner's thread. A collector that cannot work says why in
/// `start` and the run goes on without it.
class Collector {
 public:
  virtual ~Collector() = default;

  /// Empty when it collects; otherwise one sentence for the person.
  virtual std::string start(TraceBuilder& builder) = 0;
  /// Everything that happened before is in the builder when it returns.
  virtual void stop() = 0;
};

}  // namespace lanelab
