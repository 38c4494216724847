// SPDX-License-Identifier: GPL-3.0-only
// Traces told row by row, for statistics of their spans.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "profiler/analysis/statistics/span_statistics.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab::testworld {

struct ToldSpan {
  std::string name;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Category category = Category::CpuOp;
  int stage = -1;
  int step = -1;
  Phase phase = Phase::None;
};

class StatisticsWorld {
 public:
  explicit StatisticsWorld(std::vector<LaneInfo> lanes = {{"", "cpu:0"}}) : m_builder("told", std::move(lanes)) {}

  StatisticsWorld& row(int lane, Track::Kind kind, const std::vector<ToldSpan>& spans,
                       const std::string& name = "row") {
    const TrackIndex track = m_builder.addTrack(lane, kind, name);
    for (const ToldSpan& told : spans) {
      Span span;
      span.name = m_builder.intern(told.name);
      span.start = told.start;
      span.end = told.end;
      span.category = told.category;
      span.stage = static_cast<std::int16_t>(told.stage);
      span.step = told.step;
      span.phase = told.phase;
      m_builder.append(track, span);
    }
    return *this;
  }
  std::shared_ptr<const Trace> built() const { return m_builder.snapshot(); }

 private:
  TraceBuilder m_builder;
};

inline SpanStatistics statisticsOf(const Trace& trace, Grouping by, const CountedPart& part = {}) {
  return spanStatistics(trace, nullptr, by, part).value_or(SpanStatistics{});
}

/// "add 3x total 30 self 20 mean 10 median 10 p95 12 longest 12 at 5" of each group, joined by "; ".
inline std::string toldGroups(const Trace& trace, const SpanStatistics& statistics) {
  const SpanKeys keys(trace, nullptr, statistics.by);
  std::string text;
  for (const GroupStatistics& group : statistics.groups) {
    text += text.empty() ? "" : "; ";
    text += keys.nameOf(group.key) + ' ' + std::to_string(group.count) + "x total " + std::to_string(group.total) +
            " self " + std::to_string(group.self) + " mean " + std::to_string(group.mean) + " median " +
            std::to_string(group.median) + " p95 " + std::to_string(group.p95) + " longest " +
            std::to_string(group.longest) + " at " + std::to_string(group.longest_span.start);
  }
  return text;
}

/// "A 3x total 30 self 20; B ...", where the rest is not of interest.
inline std::string toldTotals(const Trace& trace, const SpanStatistics& statistics) {
  const SpanKeys keys(trace, nullptr, statistics.by);
  std::string text;
  for (const GroupStatistics& group : statistics.groups) {
    text += text.empty() ? "" : "; ";
    text += keys.nameOf(group.key) + ' ' + std::to_string(group.count) + "x total " + std::to_string(group.total) +
            " self " + std::to_string(group.self);
  }
  return text;
}

/// "compute 10 idle 5": the parts that are not 0.
inline std::string toldParts(const LaneTime& lane) {
  std::string text;
  for (std::size_t part = 0; part < kTimePartCount; ++part) {
    if (lane.parts[part] == 0) continue;
    text += text.empty() ? "" : " ";
    text += toWord(static_cast<TimePart>(part)) + ' ' + std::to_string(lane.parts[part]);
  }
  return text;
}

}  // namespace lanelab::testworld
