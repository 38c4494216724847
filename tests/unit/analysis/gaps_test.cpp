// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "tests/unit/trace/edited_span.h"

namespace lanelab {
namespace {

/// A trace of named actions, told by lane: world.action(lane, "0F1", start, end).
struct GapsWorld {
  Trace trace;

  explicit GapsWorld(int lanes) {
    for (int i = 0; i < lanes; ++i) {
      trace.lanes.push_back({"lane " + std::to_string(i), "cpu:" + std::to_string(i)});
      trace.tracks.push_back({i, Track::Kind::Compute, "compute", {}});
    }
  }
  GapsWorld& add(std::size_t track, Category category, const std::string& name, Nanoseconds start, Nanoseconds end,
                 int step = 0) {
    appended(trace, track, namedSpan(trace, category, name, start, end, step));
    return *this;
  }
  GapsWorld& action(std::size_t track, const std::string& name, Nanoseconds start, Nanoseconds end, int step = 0) {
    return add(track, Category::Action, name, start, end, step);
  }
  GapsWorld& window(Nanoseconds start, Nanoseconds end, int step = 0) {
    return add(0, Category::Step, "step", start, end, step);
  }
};

/// "0-5 before 0F0, 9-10 before end".
std::string gapsTold(const Trace& trace, const LaneCauses& lane) {
  std::ostringstream text;
  for (const ExplainedGap& gap : lane.gaps)
    text << (text.tellp() > 0 ? ", " : "") << gap.range.start << "-" << gap.range.end << " before "
         << beforeText(trace, gap);
  return text.str();
}

std::vector<LaneCauses> gapsOf(const Trace& trace) { return explainActions(trace, WindowKind::Step).lanes; }

TEST(Gaps, AreNamedByTheActionTheyLieBefore) {
  const GapsWorld world = GapsWorld(1).window(0, 10).action(0, "0F0", 5, 7).action(0, "0B0", 8, 9);
  const auto lanes = gapsOf(world.trace);
  ASSERT_EQ(lanes.size(), 1u);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "0-5 before 0F0, 7-8 before 0B0, 9-10 before end");
  EXPECT_EQ(lanes[0].window, 10);
  EXPECT_EQ(lanes[0].busy, 3);
  EXPECT_EQ(lanes[0].idle, 7);
}

TEST(Gaps, TheTutorialsTwoLanesOfModelParallel) {
  const GapsWorld world =
      GapsWorld(2).action(0, "0F0", 0, 10).action(1, "1F0", 10, 20).action(1, "1B0", 20, 40).action(0, "0B0", 40, 60);
  const auto lanes = gapsOf(world.trace);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "10-40 before 0B0");
  EXPECT_EQ(gapsTold(world.trace, lanes[1]), "0-10 before 1F0, 40-60 before end");
}

TEST(Gaps, ALaneWithoutActionsIsIdleAllTheWindow) {
  const GapsWorld world = GapsWorld(2).window(0, 10).action(0, "0F0", 0, 10);
  const auto lanes = gapsOf(world.trace);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "");
  EXPECT_EQ(gapsTold(world.trace, lanes[1]), "0-10 before end");
  EXPECT_EQ(lanes[1].idle, 10);
}

TEST(Gaps, SpansWithoutLengthNeitherCoverNorSplit) {
  const GapsWorld world =
      GapsWorld(1).window(0, 10).action(0, "0F0", 4, 4).action(0, "0F1", 6, 6).action(0, "0F2", 6, 8);
  EXPECT_EQ(gapsTold(world.trace, gapsOf(world.trace)[0]), "0-6 before 0F2, 8-10 before end");
}

TEST(Gaps, OverlappingActionsCountOnce) {
  GapsWorld world = GapsWorld(1).window(0, 20).action(0, "0F0", 2, 10).action(0, "0F1", 8, 12).action(0, "0F2", 9, 11);
  world.trace.tracks.push_back({0, Track::Kind::Stream, "another row of the lane", {}});
  world.action(1, "0F3", 12, 15);
  const auto lanes = gapsOf(world.trace);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "0-2 before 0F0, 15-20 before end");
  EXPECT_EQ(lanes[0].busy, 13);
}

TEST(Gaps, OnlyActionsAreCompute) {
  GapsWorld world = GapsWorld(1).window(0, 10).action(0, "0F0", 0, 2);
  for (const Category other : {Category::Transfer, Category::Wait, Category::Block, Category::CpuOp, Category::Host,
                               Category::Sync, Category::Kernel})
    world.add(0, other, "other", 2, 10);
  EXPECT_EQ(gapsOf(world.trace)[0].busy, 2);
}

TEST(Gaps, ActionsAreCutAtTheWindow) {
  const GapsWorld world =
      GapsWorld(1).window(10, 20).action(0, "0F0", 5, 12).action(0, "0B0", 18, 30).action(0, "0U", 30, 31);
  const auto lanes = gapsOf(world.trace);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "12-18 before 0B0");
  EXPECT_EQ(lanes[0].busy, 4);
}

TEST(Gaps, AnActionAtTheWindowsEndIsNotInIt) {
  const GapsWorld world =
      GapsWorld(1).window(0, 10).action(0, "0F0", 0, 5).action(0, "0F0", 10, 12, 1).window(10, 12, 1);
  EXPECT_EQ(gapsTold(world.trace, gapsOf(world.trace)[0]), "5-10 before end");
}

TEST(Gaps, TimeBetweenWindowsIsNobodys) {
  const GapsWorld world =
      GapsWorld(1).window(0, 10, 0).window(50, 60, 1).action(0, "0F0", 0, 10, 0).action(0, "0F0", 52, 60, 1);
  const auto lanes = gapsOf(world.trace);
  EXPECT_EQ(gapsTold(world.trace, lanes[0]), "50-52 before 0F0");
  EXPECT_EQ(lanes[0].gaps[0].step, 1);
  EXPECT_EQ(lanes[0].window, 20);
}

TEST(Gaps, AnEmptyTraceHasNoLanesAndATraceWithoutActionsNoWindow) {
  EXPECT_TRUE(gapsOf(Trace{}).empty());
  const auto lanes = gapsOf(GapsWorld(2).trace);
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[1].lane, 1);
  EXPECT_EQ(lanes[1].window, 0);
  EXPECT_TRUE(lanes[1].gaps.empty());
}

TEST(UnionOf, IsSortedDisjointAndDropsTheEmpty) {
  EXPECT_EQ(unionOf({{5, 7}, {0, 2}, {6, 9}, {2, 3}, {4, 4}, {8, 1}}), (std::vector<TimeRange>{{0, 3}, {5, 9}}));
  EXPECT_TRUE(unionOf({}).empty());
}

/// The slow and obvious way: a flag for each nanosecond.
struct Bitmap {
  std::vector<bool> covered;
  explicit Bitmap(const Trace& trace, int lane) : covered(200, false) {
    for (const Track& track : trace.tracks)
      for (const Span& span : track.spans)
        if (track.lane == lane && span.category == Category::Action)
          for (Nanoseconds t = span.start; t < span.end; ++t) covered[static_cast<std::size_t>(t)] = true;
  }
};

TEST(GapsProperty, RandomTracesEqualABitmapToTheNanosecond) {
  std::mt19937 random(20240817);
  const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 400; ++round) {
    GapsWorld world(3);
    world.trace.tracks.push_back({1, Track::Kind::Stream, "second row", {}});
    const bool with_windows = upTo(2) == 0;
    const int steps = 1 + upTo(3);
    for (int step = 0; with_windows && step < steps; ++step) world.window(step * 60, step * 60 + upTo(61), step);
    for (int i = upTo(25); i > 0; --i) {
      const Nanoseconds start = upTo(180);
      world.action(static_cast<std::size_t>(upTo(4)), "a", start, start + upTo(20), upTo(steps));
    }
    const auto windows = stepWindows(world.trace);
    const auto lanes = gapsOf(world.trace);
    ASSERT_EQ(lanes.size(), 3u);
    for (const LaneCauses& lane : lanes) {
      SCOPED_TRACE("round " + std::to_string(round) + " lane " + std::to_string(lane.lane));
      const Bitmap bitmap(world.trace, lane.lane);
      Nanoseconds window = 0;
      Nanoseconds busy = 0;
      for (const StepWindow& step : windows) {
        for (Nanoseconds t = step.range.start; t < step.range.end; ++t, ++window)
          busy += bitmap.covered[static_cast<std::size_t>(t)] ? 1 : 0;
      }
      ASSERT_EQ(lane.window, window);
      ASSERT_EQ(lane.busy, busy);
      ASSERT_EQ(lane.busy + lane.idle, lane.window);
      Nanoseconds in_gaps = 0;
      for (const ExplainedGap& gap : lane.gaps) {
        in_gaps += gap.range.length();
        for (Nanoseconds t = gap.range.start; t < gap.range.end; ++t)
          ASSERT_FALSE(bitmap.covered[static_cast<std::size_t>(t)]);
        const auto isEdge = [&](Nanoseconds t) {
          return std::any_of(windows.begin(), windows.end(),
                             [&](const StepWindow& step) { return step.range.start == t || step.range.end == t; });
        };
        ASSERT_TRUE(isEdge(gap.range.start) || bitmap.covered[static_cast<std::size_t>(gap.range.start - 1)]);
        ASSERT_TRUE(isEdge(gap.range.end) || bitmap.covered[static_cast<std::size_t>(gap.range.end)]);
      }
      ASSERT_EQ(in_gaps, lane.idle);
    }
  }
}

}  // namespace
}  // namespace lanelab
