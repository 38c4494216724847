// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/aligned_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

std::string told(const Trace& trace) {
  std::ostringstream text;
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) {
    text << (lane ? "; " : "") << trace.lanes[lane].name << ":";
    for (const Track& track : trace.tracks) {
      if (track.lane != static_cast<int>(lane) || track.kind != Track::Kind::Compute) continue;
      for (const Span& span : track.spans) text << " " << trace.nameOf(span) << " " << span.start << "-" << span.end;
    }
  }
  return text.str();
}

std::string told(const std::vector<StepWindow>& windows) {
  std::ostringstream text;
  for (const StepWindow& window : windows)
    text << (text.tellp() > 0 ? ", " : "") << window.step << ": " << window.range.start << "-" << window.range.end;
  return text.str();
}

std::string told(const std::vector<AlignedCell>& cells) {
  std::ostringstream text;
  for (const AlignedCell& cell : cells)
    text << (text.tellp() > 0 ? ", " : "") << "step " << cell.key.step << " " << cell.key.stage
         << letterOf(cell.key.phase) << cell.key.micro_batch << " " << cell.a << " " << cell.b << " "
         << cell.difference() << " at " << cell.later_by;
  return text.str();
}

/// One lane, two steps: 100-130, 150-180.
PipelineWorld shortRun() {
  PipelineWorld world(1);
  world.window(100, 130, 0);
  world.action(0, "0F0", 100, 110, 0);
  world.action(0, "0B0", 110, 130, 0);
  world.window(150, 180, 1);
  world.action(0, "0F0", 150, 160, 1);
  world.action(0, "0B0", 160, 180, 1);
  return world;
}

/// The same at another time, its first step twice as long: 1000-1060, 1062-1092.
PipelineWorld longRun() {
  PipelineWorld world(1);
  world.window(1000, 1060, 0);
  world.action(0, "0F0", 1005, 1025, 0);
  world.action(0, "0B0", 1025, 1060, 0);
  world.window(1062, 1092, 1);
  world.action(0, "0F0", 1062, 1071, 1);
  world.action(0, "0B0", 1071, 1092, 1);
  return world;
}

TEST(AlignedRuns, EachStepBeginsWhereTheOtherRunsDoes) {
  PipelineWorld a = shortRun(), b = longRun();
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  EXPECT_EQ(told(runs.windows_a), "0: 100-130, 1: 162-192");  // the longer way on: 62 of B
  EXPECT_EQ(told(runs.windows_b), "0: 100-160, 1: 162-192");
  EXPECT_EQ(told(stepWindows(*runs.trace)), "0: 100-160, 1: 162-192");
  EXPECT_EQ(told(*runs.trace),
            "A: lane 0: 0F0 100-110 0B0 110-130 0F0 162-172 0B0 172-192; B: lane 0: 0F0 105-125 0B0 125-160 0F0 "
            "162-171 0B0 171-192");
}

TEST(AlignedRuns, TheTableHoldsLengthsAndDifferences) {
  PipelineWorld a = shortRun(), b = longRun();
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  EXPECT_EQ(told(runs.cells),
            "step 0 0F0 10 20 10 at 5, step 0 0B0 20 35 15 at 15, step 1 0F0 10 9 -1 at 0, step 1 0B0 20 21 1 at -1");
  EXPECT_EQ(runs.only_a.size() + runs.only_b.size(), 0U);
  const auto means = runs.means();
  ASSERT_EQ(means.size(), 2U);
  EXPECT_EQ(means[0].cells, 2U);
  EXPECT_DOUBLE_EQ(means[0].a, 10);
  EXPECT_DOUBLE_EQ(means[0].b, 14.5);
}

TEST(AlignedRuns, ARangeHoldsTheActionsThatBeginInItInEitherRun) {
  PipelineWorld a = shortRun(), b = longRun();
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  const auto within = [&](Nanoseconds start, Nanoseconds end) { return told(actionsWithin(runs, {start, end}).cells); };
  EXPECT_EQ(within(100, 105), "step 0 0F0 10 20 10 at 5") << "only the first run's begins there";
  EXPECT_EQ(within(105, 111), "step 0 0F0 10 20 10 at 5, step 0 0B0 20 35 15 at 15");
  EXPECT_EQ(within(171, 172), "step 1 0B0 20 21 1 at -1") << "only the second run's begins there";
  EXPECT_EQ(within(126, 162), "") << "an action that began before is not counted";
  EXPECT_EQ(within(100, 192), told(runs.cells));
  EXPECT_EQ(told(comparedActions(runs).cells), told(runs.cells));
}

TEST(AlignedRuns, ARangeCountsWhatOnlyOneRunHasThere) {
  PipelineWorld a = shortRun(), b(2);
  b.action(0, "0F0", 0, 7, 0);
  b.action(1, "1F0", 7, 9, 0);
  b.action(0, "0F1", 7, 14, 0);
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  const ComparedActions start = actionsWithin(runs, {100, 110});
  EXPECT_EQ(start.cells.size(), 1U);
  EXPECT_EQ(start.only_a, 0U);
  EXPECT_EQ(start.only_b, 2U);
  const ComparedActions rest = actionsWithin(runs, {110, 200});
  EXPECT_EQ(rest.cells.size(), 0U);
  EXPECT_EQ(rest.only_a, 3U);
  EXPECT_EQ(rest.only_b, 0U);
  EXPECT_EQ(comparedActions(runs).only_a, 3U);
}

TEST(AlignedRuns, ActionsOfUnlikeMicroBatchesAreNotCompared) {
  PipelineWorld a = shortRun(), b = longRun();
  const AlignedRuns unlike = alignRuns(a.built(), b.built(), {8, 32});
  EXPECT_TRUE(unlike.micro_batches.differ());
  EXPECT_TRUE(unlike.cells.empty());
  EXPECT_EQ(told(unlike.windows_b), "0: 100-160, 1: 162-192") << "their steps are on one axis all the same";
  EXPECT_EQ(alignRuns(a.built(), b.built(), {8, 8}).cells.size(), 4U);
  EXPECT_EQ(alignRuns(a.built(), b.built(), {8, 0}).cells.size(), 4U) << "an imported trace has none";
}

TEST(AlignedRuns, WhatOnlyOneRunHasIsCounted) {
  PipelineWorld a = shortRun(), b(2);
  b.action(0, "0F0", 0, 7, 0);
  b.action(1, "1F0", 7, 9, 0);
  b.action(0, "0F1", 7, 14, 0);
  b.action(0, "0F0", 20, 26, 2);
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  EXPECT_EQ(told(runs.cells), "step 0 0F0 10 7 -3 at 0");
  EXPECT_EQ(runs.only_a.size(), 3U);
  EXPECT_EQ(runs.only_b.size(), 3U);
  EXPECT_EQ(told(runs.windows_a), "0: 100-130, 1: 150-180");
  EXPECT_EQ(told(runs.windows_b), "0: 100-114, 2: 180-186");  // behind the step that only A has
  EXPECT_EQ(runs.trace->lanes[2].name, "B: lane 1");
  EXPECT_EQ(runs.lanes[2].own, 1);
}

TEST(AlignedRuns, ALaneKeepsTheCausesOfItsOwnRun) {
  PipelineWorld a = shortRun(), b(2);
  b.window(0, 40, 0);
  b.action(0, "0F0", 0, 10, 0);
  b.action(1, "1F0", 10, 20, 0);
  b.action(1, "1B0", 20, 30, 0);
  b.action(0, "0B0", 30, 40, 0);
  const Trace& second = b.built();
  const AlignedRuns runs = alignRuns(a.built(), second);
  const IdleCauses alone = explainIdle(second);
  ASSERT_EQ(runs.causes.size(), 3U);
  EXPECT_TRUE(runs.causes[0].empty());
  ASSERT_EQ(runs.causes[1].size(), alone.lanes[0].pieces.size());
  for (std::size_t i = 0; i < runs.causes[1].size(); ++i) {
    EXPECT_EQ(runs.causes[1][i].range.start, alone.lanes[0].pieces[i].range.start + 100);
    EXPECT_EQ(runs.causes[1][i].cause, alone.lanes[0].pieces[i].cause);
  }
}

TEST(AlignedRuns, PathsAndRangesGoToTheCommonAxisToo) {
  PipelineWorld a = longRun(), b = shortRun();
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  ASSERT_EQ(runs.paths.size(), 4U);
  for (const CriticalPath& path : runs.paths) {
    Nanoseconds covered = path.window.start;
    for (const PathLink& link : path.links) {
      EXPECT_EQ(link.range.start, covered);
      covered = link.range.end;
    }
    EXPECT_EQ(covered, path.window.end);
  }
  EXPECT_EQ(runs.paths[3].window, (TimeRange{1062, 1092}));
  EXPECT_EQ(runs.paths[3].links.back().lane, 1);
  EXPECT_EQ(runs.placed(RunSide::A, {1065, 1070}), (TimeRange{1065, 1070}));
  EXPECT_EQ(runs.placed(RunSide::B, {90, 95}), (TimeRange{990, 995}));
  EXPECT_EQ(runs.placed(RunSide::B, {120, 155}), (TimeRange{1020, 1055}));
  EXPECT_EQ(runs.placed(RunSide::B, {155, 170}), (TimeRange{1067, 1082}));
}

TEST(AlignedRuns, ASpanMovesWithItsStepOrElseWithTheTimeItLiesAt) {
  PipelineWorld a = longRun(), b = shortRun();
  b.host(0, Category::Data, 140, 149)->step = -1;
  b.host(0, Category::Data, 145, 151)->step = 1;
  const AlignedRuns runs = alignRuns(a.built(), b.built());
  std::vector<TimeRange> data;
  for (const Track& track : runs.trace->tracks)
    for (const Span& span : track.spans)
      if (span.category == Category::Data) data.push_back(span.range());
  ASSERT_EQ(data.size(), 2U);
  EXPECT_EQ(data[0].start, 1040);
  EXPECT_EQ(data[1].start, 1057);
}

TEST(AlignedRuns, RunsWithoutStepsBeginTogether) {
  Trace a, b;
  a.lanes = b.lanes = {{"thread", ""}};
  a.names = b.names = {"work"};
  Track track;
  track.kind = Track::Kind::Host;
  track.spans.push_back({.start = 50, .end = 60, .category = Category::CpuOp});
  a.tracks = {track};
  Track later;
  later.kind = Track::Kind::Host;
  later.spans.push_back({.start = 500, .end = 505, .category = Category::CpuOp});
  b.tracks = {later};
  const AlignedRuns runs = alignRuns(a, b);
  ASSERT_EQ(runs.trace->tracks.size(), 2U);
  EXPECT_EQ(runs.trace->tracks[1].spans[0].start, 50);
  EXPECT_TRUE(runs.cells.empty());
  EXPECT_TRUE(stepWindows(*runs.trace).empty());
  EXPECT_EQ(alignRuns(Trace(), Trace()).trace->lanes.size(), 0U);
}

}  // namespace
}  // namespace lanelab
