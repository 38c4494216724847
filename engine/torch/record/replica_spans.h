// SPDX-License-Identifier: GPL-3.0-only
// What a lane did for its replica: copies and reductions, on a row of the timeline of their own.
#pragma once

#include <map>
#include <string>

#include "base/ids.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// The lane's thread only.
class ReplicaSpans {
 public:
  /// Null: nothing is recorded.
  void record(TraceBuilder* trace, LaneId lane);
  void pause(bool paused) { m_paused = paused; }
  void beginStep(int step) { m_step = step; }

  /// Spans of the row follow each other: what began before the last one ended, as reductions that overlap do, is shown
  /// from there on.
  void add(const std::string& what, TimeRange time, Phase phase);

 private:
  TraceBuilder* m_trace = nullptr;
  bool m_paused = false;
  TrackIndex m_track;
  std::map<std::string, std::uint32_t> m_names;
  Nanoseconds m_last_end = 0;
  int m_step = 0;
};

}  // namespace lanelab
