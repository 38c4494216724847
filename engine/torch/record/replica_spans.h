// SPDX-License-Identifier: GPL-3.0-only
// What a lane did for its replica: copies and reductions, on a row of the timeline of their own.
#pragma once

#include <algorithm>
#include <map>
#include <string>

#include "base/ids.h"
#include "engine/lanes/lane_worker.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// The lane's thread only.
class ReplicaSpans {
 public:
  /// Null: nothing is recorded.
  void record(TraceBuilder* trace, LaneId lane) {
    m_trace = trace;
    m_names.clear();
    m_last_end = 0;
    if (trace) m_track = trace->addTrack(lane.value, Track::Kind::Host, "replicas");
  }
  void beginStep(const StepCommand& command) {
    m_paused = !command.recorded;
    m_step = command.step;
  }

  /// Spans of the row follow each other: what began before the last one ended, as reductions that overlap do, is shown
  /// from there on.
  void add(const std::string& what, TimeRange time, Phase phase) {
    if (!m_trace || m_paused) return;
    const Nanoseconds start = std::max(time.start, m_last_end);
    if (time.end <= start) return;
    m_last_end = time.end;
    auto name = m_names.find(what);
    if (name == m_names.end()) name = m_names.emplace(what, m_trace->intern(what)).first;
    m_trace->append(m_track, {.start = start,
                              .end = time.end,
                              .name = name->second,
                              .step = m_step,
                              .category = Category::Sync,
                              .phase = phase});
  }

 private:
  TraceBuilder* m_trace = nullptr;
  bool m_paused = false;
  TrackIndex m_track;
  std::map<std::string, std::uint32_t> m_names;
  Nanoseconds m_last_end = 0;
  int m_step = 0;
};

}  // namespace lanelab
