// SPDX-License-Identifier: GPL-3.0-only
// Steps that overlap: their periods, causes of idle time in both windows, critical path and what-if.
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "profiler/analysis/causes_within.h"
#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/what_if.h"
#include "profiler/trace/step_periods.h"
#include "tests/support/dice.h"
#include "tests/unit/analysis/overlapping_world.h"

namespace lanelab {
namespace {

std::string rangesOf(const std::vector<TimeRange>& ranges) {
  std::ostringstream text;
  for (const TimeRange& range : ranges) text << (text.tellp() > 0 ? " " : "") << range.start << "-" << range.end;
  return text.str();
}

/// "195 = 125 + 70: 10-30 before 0I0: drain 10-30; ..."
std::string sumsOf(const Trace& trace, const LaneCauses& lane) {
  return std::to_string(lane.window) + " = " + std::to_string(lane.busy) + " + " + std::to_string(lane.idle) + ": " +
         told(trace, lane);
}

TEST(OverlappingSteps, AreStretchesBetweenMeetings) {
  for (const bool meeting : {false, true}) {
    OverlappingWorld world(meeting);
    const Trace& trace = world.built();
    const auto stretches = stretchesOf(trace, stepWindows(trace));
    EXPECT_TRUE(stepsOverlap(trace));
    ASSERT_EQ(stretches.size(), meeting ? 2u : 1u);
    EXPECT_EQ(stretches[0].count, meeting ? 2u : 3u);
    EXPECT_EQ(stretches[0].range, (TimeRange{0, meeting ? 120 : 175}));
  }
}

/// Lane 0 was late with the last step, or lanes met before it: only the marks of the steps can tell.
TEST(OverlappingSteps, OfOneStretchMayBeApart) {
  struct Row {
    std::array<Nanoseconds, 3> began_together;
    std::size_t stretches;
    const char* periods;  // of lane 1
  };
  const Row table[] = {
      {{0, 0, 0}, 2, "10-65 65-120 140-195"},
      {{0, 0, 125}, 2, "10-65 65-120 140-195"},
      {{-5, -5, 125}, 2, "10-65 65-120 140-195"},
      {{-5, -5, -5}, 1, "10-65 65-140 140-195"},
  };
  for (const Row& row : table) {
    OverlappingWorld world(true, row.began_together);
    const Trace& trace = world.built();
    const auto stretches = stretchesOf(trace, stepWindows(trace));
    EXPECT_EQ(stretches.size(), row.stretches);
    EXPECT_EQ(stretches.back().range.end, 195);
    std::vector<TimeRange> ranges;
    const auto periods = lanePeriods(trace);
    for (const StepWindow& period : periods[1]) ranges.push_back(period.range);
    EXPECT_EQ(rangesOf(ranges), row.periods);
    const LaneCauses lane = explainIdle(trace).lanes[1];
    EXPECT_EQ(lane.busy + lane.idle, lane.window);
    EXPECT_EQ(lane.idle, row.stretches == 1 ? 20 : 0);
  }
}

TEST(OverlappingSteps, StepsThatOnlyTouchDoNotOverlap) {
  PipelineWorld world(1);
  world.action(0, "0F0", 0, 10, 0);
  world.action(0, "0F0", 10, 20, 1);
  EXPECT_FALSE(stepsOverlap(world.built()));
  EXPECT_FALSE(stepsOverlap(Trace{}));
}

TEST(OverlappingSteps, WithoutStepSpansTheActionsTell) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10, 0);
  world.action(1, "1F0", 10, 25, 0);
  world.action(0, "0F0", 20, 30, 1);
  EXPECT_TRUE(stepsOverlap(world.built()));
}

TEST(LanePeriods, GoFromStepToStepAndEndWithTheLaneWhereLanesMeet) {
  const auto windowsOf = [](bool meeting, std::size_t lane) {
    OverlappingWorld world(meeting);
    std::vector<TimeRange> ranges;
    const auto periods = lanePeriods(world.built());
    for (const StepWindow& period : periods[lane]) ranges.push_back(period.range);
    return rangesOf(ranges);
  };
  EXPECT_EQ(windowsOf(false, 0), "0-55 55-110 110-165");
  EXPECT_EQ(windowsOf(false, 1), "10-65 65-120 120-175");
  EXPECT_EQ(windowsOf(true, 0), "0-55 55-110 130-185");
  EXPECT_EQ(windowsOf(true, 1), "10-65 65-120 140-195");
}

TEST(LanePeriods, BeginWithTheWaitForData) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10, 0);
  world.action(1, "1F0", 10, 40, 0);
  world.host(0, Category::Data, 12, 20)->step = 1;
  world.action(0, "0F0", 20, 30, 1);
  const auto periods = lanePeriods(world.built());
  EXPECT_EQ(periods[0][0].range, (TimeRange{0, 12}));
  EXPECT_EQ(periods[0][1].range, (TimeRange{12, 30}));
}

TEST(LanePeriods, OfALaneWithoutWorkAreThoseOfTheSteps) {
  OverlappingWorld world;
  world.trace.lanes.push_back({"lane 2", "cpu:2"});
  std::vector<TimeRange> ranges;
  const auto periods = lanePeriods(world.built());
  for (const StepWindow& period : periods[2]) ranges.push_back(period.range);
  EXPECT_EQ(rangesOf(ranges), "0-55 55-110 110-175");
}

TEST(StepPeriods, AreWhatEachStepCostAndTogetherAllTime) {
  const auto periodsOf = [](PipelineWorld world) { return stepPeriods(world.built()); };
  EXPECT_EQ(periodsOf(OverlappingWorld(false)), (std::vector<Nanoseconds>{60, 55, 60}));
  EXPECT_EQ(periodsOf(OverlappingWorld(true)), (std::vector<Nanoseconds>{60, 60, 65}));
  PipelineWorld barrier(2);
  barrier.window(0, 30, 0);
  barrier.window(40, 60, 1);
  EXPECT_EQ(periodsOf(barrier), (std::vector<Nanoseconds>{30, 20})) << "with a barrier the steps' lengths";
  EXPECT_EQ(meanStepPeriod(OverlappingWorld().built()), 175 / 3);
  EXPECT_EQ(meanStepPeriod(Trace{}), std::nullopt);
}

struct ToldCauses {
  bool meeting;
  WindowKind windows;
  const char* lane_0;
  const char* lane_1;
};

TEST(OverlappingSteps, EachNanosecondOfBothWindowsHasACause) {
  // In the replay with each stage's own means lane 0 ends 10 before lane 1; with all stages alike it does not.
  const ToldCauses table[] = {
      {false, WindowKind::Step,
       "195 = 125 + 70: 10-30 before 0I0: drain 10-30; 65-85 before 0I0: drain 65-85; 120-140 before 0I0: drain "
       "120-140; 165-175 before end: imbalance 165-175",
       "195 = 185 + 10: 0-10 before 1F0: fill 0-10"},
      {false, WindowKind::Period,
       "165 = 105 + 60: 10-30 before 0I0: drain 10-30; 65-85 before 0I0: drain 65-85; 120-140 before 0I0: drain "
       "120-140",
       "165 = 165 + 0: "},
      {true, WindowKind::Step,
       "195 = 115 + 80: 10-30 before 0I0: drain 10-30; 65-85 before 0I0: drain 65-85; 110-120 before end: imbalance "
       "110-120; 140-160 before 0I0: drain 140-160; 185-195 before end: imbalance 185-195",
       "195 = 175 + 20: 0-10 before 1F0: fill 0-10; 130-140 before 1F0: fill 130-140"},
      {true, WindowKind::Period,
       "165 = 105 + 60: 10-30 before 0I0: drain 10-30; 65-85 before 0I0: drain 65-85; 140-160 before 0I0: drain "
       "140-160",
       "165 = 165 + 0: "},
  };
  for (const ToldCauses& row : table) {
    OverlappingWorld world(row.meeting);
    const Trace& trace = world.built();
    const IdleCauses causes = explainIdle(trace, row.windows);
    EXPECT_EQ(causes.window_kind, row.windows);
    EXPECT_EQ(sumsOf(trace, causes.lanes[0]), row.lane_0);
    EXPECT_EQ(sumsOf(trace, causes.lanes[1]), row.lane_1);
  }
}

TEST(OverlappingSteps, ArePeriodsUnlessAskedOtherwiseAndStepsWhereLanesMeet) {
  EXPECT_EQ(explainIdle(OverlappingWorld().built()).window_kind, WindowKind::Period);
  PipelineWorld barrier(2);
  barrier.action(0, "0F0", 0, 10);
  barrier.action(1, "1F0", 10, 20);
  const Trace& trace = barrier.built();
  EXPECT_EQ(explainIdle(trace).window_kind, WindowKind::Step);
  const IdleCauses periods = explainIdle(trace, WindowKind::Period);
  EXPECT_EQ(sumsOf(trace, periods.lanes[0]), "10 = 10 + 0: ") << "a lane's own first to last action";
  EXPECT_EQ(sumsOf(trace, periods.lanes[1]), "10 = 10 + 0: ");
}

/// Lane 1 waits for its input of step 1 over the end of step 0's window. By replay lane 0 would have sent it at 44,
/// with its own mean of F in step 1 at 48; 12 are those for which 0B0 and the F of step 1 began late for no reason that
/// shows.
TEST(OverlappingSteps, AGapThatAWindowCutsHasTheCauseOfTheNextStepsAction) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10, 0);
  world.action(1, "1F0", 10, 20, 0);
  world.action(0, "0B0", 20, 40, 0);
  world.action(0, "0F0", 42, 60, 1);
  world.action(1, "1F0", 60, 70, 1);
  world.window(0, 50, 0);
  world.window(42, 70, 1);
  const Trace& trace = world.built();
  EXPECT_EQ(sumsOf(trace, explainIdle(trace, WindowKind::Step).lanes[1]),
            "78 = 20 + 58: 0-10 before 1F0: fill 0-10; 20-50 before 1F0: fill 20-44, imbalance 44-48, unresolved "
            "48-50; 42-60 before 1F0: fill 42-44, imbalance 44-48, unresolved 48-60");
  EXPECT_EQ(sumsOf(trace, explainIdle(trace, WindowKind::Period).lanes[1]),
            "60 = 20 + 40: 20-60 before 1F0: fill 20-44, imbalance 44-48, unresolved 48-60");
}

TEST(OverlappingSteps, WaitForDataBetweenStepsIsOfTheNextStep) {
  OverlappingWorld world;
  world.host(0, Category::Data, 165, 170)->step = 3;
  world.action(0, "0F0", 170, 180, 3);
  const Trace& trace = world.built();
  const LaneCauses lane = explainIdle(trace).lanes[0];
  EXPECT_EQ(lane.windows.back(), (TimeRange{165, 180}));
  EXPECT_EQ(lane.causes[Cause::Data], 5);
  EXPECT_EQ(lane.gaps.back().step, 3);
}

TEST(OverlappingSteps, OfARunningTraceEndWithWhatIsKnown) {
  OverlappingWorld world;
  Trace trace = world.built();
  trace.tracks.back().spans.truncate(1);  // steps 1 and 2 have not ended
  trace.live = {{0, 165, std::nullopt}, {1, 175, 140}};
  for (const WindowKind windows : {WindowKind::Step, WindowKind::Period}) {
    const LaneCauses lane = explainIdle(trace, windows).lanes[0];
    EXPECT_EQ(lane.windows.back().end, 165) << "why lane 0 idles after its last action is not known yet";
    EXPECT_EQ(lane.busy + lane.idle, lane.window);
  }
}

TEST(OverlappingSteps, CausesOfBothWindowsAreTheSameWhereBothLie) {
  test::Dice dice(20);
  for (int round = 0; round < 200; ++round) {
    PipelineWorld world(3);
    std::vector<Nanoseconds> free(3, 0);
    for (int step = 0; step < 4; ++step) {
      Nanoseconds made = 0;
      for (int lane = 0; lane < 3; ++lane) {
        Nanoseconds& at = free[static_cast<std::size_t>(lane)];
        const Nanoseconds start = std::max(at, made) + dice.below(5);
        made = start + dice.between(1, 20);
        world.action(lane, std::to_string(lane) + "F0", start, made, step);
        at = made;
        if (dice.below(2) == 0) continue;
        world.action(lane, std::to_string(lane) + "W0", at + dice.below(4), at + 4 + dice.below(30), step);
        at += 34;
      }
      if (dice.below(3) == 0) free.assign(3, *std::max_element(free.begin(), free.end()) + dice.below(9));
    }
    const Trace& trace = world.built();
    const IdleCauses steps = explainIdle(trace, WindowKind::Step), periods = explainIdle(trace, WindowKind::Period);
    for (std::size_t lane = 0; lane < 3; ++lane) {
      for (const IdleCauses* causes : {&steps, &periods}) {
        const LaneCauses& one = causes->lanes[lane];
        EXPECT_EQ(one.busy + one.idle, one.window);
        EXPECT_EQ(one.causes.total(), one.idle);
        EXPECT_EQ(one.window, std::accumulate(one.windows.begin(), one.windows.end(), Nanoseconds{0},
                                              [](Nanoseconds sum, TimeRange range) { return sum + range.length(); }));
        Nanoseconds work = 0;
        for (const TimeRange& window : one.windows)
          for (const Span& action : trace.tracks[lane * 3].spans)
            work += std::max<Nanoseconds>(0, std::min(window.end, action.end) - std::max(window.start, action.start));
        EXPECT_EQ(one.busy, work) << "busy is what actions cover";
      }
      for (const TimeRange& period : periods.lanes[lane].windows) {
        // A moment of a period lies in one or two step windows, and has one cause in all of them.
        const auto parts = causesWithin(periods, period).lanes[lane].pieces;
        for (const CausePiece& piece : parts) {
          bool found = false;
          for (const CausePiece& other : steps.lanes[lane].pieces)
            if (other.range.start <= piece.range.start && piece.range.start < other.range.end) {
              found = true;
              EXPECT_EQ(other.cause, piece.cause);
            }
          EXPECT_TRUE(found);
        }
      }
    }
    const std::vector<Nanoseconds> costs = stepPeriods(trace);
    Nanoseconds all = 0;
    for (const Stretch& stretch : stretchesOf(trace, stepWindows(trace))) all += stretch.range.length();
    EXPECT_EQ(std::accumulate(costs.begin(), costs.end(), Nanoseconds{0}), all);
  }
}

TEST(OverlappingSteps, HaveOneCriticalPathCutIntoSteps) {
  OverlappingWorld world;
  const Trace& trace = world.built();
  std::ostringstream text;
  for (const CriticalPath& path : criticalPaths(trace)) {
    text << "step " << path.step << " " << path.window.start << "-" << path.window.end << ":";
    for (const PathLink& link : path.links) {
      EXPECT_EQ(link.kind, PathLink::Kind::Action);
      text << " " << trace.names[link.action] << " " << link.range.start << "-" << link.range.end;
    }
    text << "; ";
  }
  // Back from 1U of step 2: lane 1 was free last before each 1F0, where the input came at the same time.
  EXPECT_EQ(text.str(),
            "step 0 0-65: 0F0 0-10 1F0 10-20 1I0 20-30 1W0 30-60 1U 60-65; "
            "step 1 65-120: 1F0 65-75 1I0 75-85 1W0 85-115 1U 115-120; "
            "step 2 120-175: 1F0 120-130 1I0 130-140 1W0 140-170 1U 170-175; ");
}

TEST(OverlappingSteps, StillOverlapInAWhatIfReplay) {
  for (const bool meeting : {false, true}) {
    OverlappingWorld world(meeting);
    const Trace& trace = world.built();
    const auto stepsOf = [](const Trace& one) {
      std::vector<TimeRange> ranges;
      for (const StepWindow& window : stepWindows(one)) ranges.push_back(window.range);
      return rangesOf(ranges);
    };
    EXPECT_EQ(stepsOf(replayWith(trace, {})), stepsOf(trace)) << "with no factor nothing moves";
    // Stage 1: F 5, I 5, W 15, U 2 or 3, so lane 0 is the slower one: a step each 45.
    EXPECT_EQ(stepsOf(replayWith(trace, WhatIf{{{1, 0.5}}, {}, {}})),
              meeting ? "0-45 45-90 100-145" : "0-45 45-90 90-135");
  }
}

TEST(OverlappingSteps, RemainOneStretchInAWhatIfReplay) {
  for (const bool together : {false, true}) {
    OverlappingWorld world(true, {995, 995, together ? 995 : 1125}, 1000);
    const Trace replayed = replayWith(world.built(), {});
    EXPECT_EQ(stretchesOf(replayed, stepWindows(replayed)).size(), together ? 1U : 2U);
  }
}

}  // namespace
}  // namespace lanelab
