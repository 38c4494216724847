// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/cut_trace.h"

#include <gtest/gtest.h>

#include <string>

namespace lanelab {
namespace {

Span spanFrom(std::uint32_t name, Nanoseconds start, Nanoseconds end) {
  Span span;
  span.name = name;
  span.start = start;
  span.end = end;
  span.cpu = end - start;
  return span;
}

/// A host row with a parent, its child and a moment, a stream with correlations, a counter, an instant, two arrows.
ImportedTrace smallImport() {
  auto trace = std::make_shared<Trace>();
  trace->lanes = {{"python", ""}, {"GPU 0", ""}};
  trace->names = {"step", "op", "kernel", "instant"};
  trace->tracks.push_back({0,
                           Track::Kind::Host,
                           "thread",
                           {spanFrom(0, 0, 100), spanFrom(1, 10, 30), spanFrom(1, 50, 50), spanFrom(1, 80, 90)}});
  trace->tracks.push_back(
      {1, Track::Kind::Stream, "stream", {spanFrom(2, 5, 20), spanFrom(2, 40, 70), spanFrom(2, 75, 95)}});
  trace->counters.push_back({0, 0, "memory", "bytes", 0, {0, 20, 60, 90}, {1, 2, 3, 4}});
  ImportedTrace imported;
  imported.trace = trace;
  imported.processes.resize(2);
  imported.rows.resize(2);
  imported.rows[1].process = 1;
  imported.rows[1].correlations = {7, 8, 9};
  imported.instants = {{10, 3, 0}, {55, 3, 0}, {60, 3, 0}};
  imported.flows = {{1}, {2}};
  imported.flow_ends = {{15, 0, 0, 's'}, {45, 0, 1, 'f'}, {51, 1, 0, 's'}, {58, 1, 1, 'f'}};
  return imported;
}

std::string told(const ImportedTrace& imported) {
  std::string text;
  for (const Track& track : imported.trace->tracks) {
    for (const Span& span : track.spans)
      text += imported.trace->nameOf(span) + ' ' + std::to_string(span.start) + '-' + std::to_string(span.end) +
              (span.cpu < 0 ? " cut, " : ", ");
    text += "| ";
  }
  return text;
}

TEST(CutTrace, SpansAreCutAtTheEndsOfTheRange) {
  const ImportedTrace whole = smallImport();
  EXPECT_EQ(told(*cutTrace(whole, {20, 60})), "step 20-60 cut, op 20-30 cut, op 50-50, | kernel 40-60 cut, | ");
  EXPECT_EQ(told(*cutTrace(whole, {50, 51})), "step 50-51 cut, op 50-50, | kernel 50-51 cut, | ");
  EXPECT_EQ(told(*cutTrace(whole, {-10, 200})), told(whole));
  EXPECT_EQ(told(*cutTrace(whole, {200, 300})), "| | ");
}

TEST(CutTrace, WhatBelongsToSpansAndMomentsStaysWithThem) {
  const auto part = cutTrace(smallImport(), {50, 60});
  EXPECT_EQ(part->rows[1].correlations, (std::vector<std::int64_t>{8}));
  ASSERT_EQ(part->instants.size(), 1U);
  EXPECT_EQ(part->instants[0].time, 55);
  ASSERT_EQ(part->flows.size(), 1U) << "of the other one an end is outside";
  EXPECT_EQ(part->flows[0].id, 2U);
  ASSERT_EQ(part->flow_ends.size(), 2U);
  EXPECT_EQ(part->flow_ends[0].flow, 0U);
  EXPECT_EQ(part->counts.spans, 3);
  EXPECT_EQ(part->counts.flows, 1);
  EXPECT_EQ(part->trace->lanes.size(), 2U);
}

TEST(CutTrace, CountersBeginWithTheValueThatTheyHad) {
  struct Case {
    TimeRange range;
    std::vector<Nanoseconds> times;
    std::vector<double> values;
  };
  for (const Case& each : {Case{{30, 70}, {30, 60}, {2, 3}}, Case{{20, 60}, {20}, {2}}, Case{{95, 99}, {95}, {4}},
                           Case{{-9, -5}, {}, {}}, Case{{-9, 10}, {0}, {1}}}) {
    const auto part = cutTrace(smallImport(), each.range);
    const bool any = !part->trace->counters.empty();
    EXPECT_EQ(any ? part->trace->counters[0].times : std::vector<Nanoseconds>(), each.times) << each.range.start;
    EXPECT_EQ(any ? part->trace->counters[0].values : std::vector<double>(), each.values) << each.range.start;
  }
}

}  // namespace
}  // namespace lanelab
