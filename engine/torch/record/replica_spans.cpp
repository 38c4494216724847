// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/record/replica_spans.h"

#include <algorithm>

namespace lanelab {

void ReplicaSpans::record(TraceBuilder* trace, LaneId lane) {
  m_trace = trace;
  m_names.clear();
  m_last_end = 0;
  if (trace) m_track = trace->addTrack(lane.value, Track::Kind::Host, "replicas");
}

void ReplicaSpans::add(const std::string& what, TimeRange time, Phase phase) {
  if (!m_trace || m_paused) return;
  Span span;
  span.start = std::max(time.start, m_last_end);
  span.end = time.end;
  if (span.end <= span.start) return;
  m_last_end = span.end;
  auto name = m_names.find(what);
  if (name == m_names.end()) name = m_names.emplace(what, m_trace->intern(what)).first;
  span.name = name->second;
  span.step = m_step;
  span.category = Category::Sync;
  span.phase = phase;
  m_trace->append(m_track, span);
}

}  // namespace lanelab
