// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/what_if.h"

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "profiler/analysis/critical_path.h"
#include "profiler/trace/step_periods.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// All actions, transfers, host spans and steps, by lane and start.
std::string writtenActions(const Trace& trace) {
  std::map<std::pair<int, Category>, std::vector<Span>> rows;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans) rows[{track.lane, span.category}].push_back(span);
  std::ostringstream text;
  for (auto& [key, spans] : rows) {
    std::stable_sort(spans.begin(), spans.end(),
                     [](const Span& a, const Span& b) { return std::tie(a.start, a.end) < std::tie(b.start, b.end); });
    text << key.first << " " << toString(key.second) << ":";
    for (const Span& span : spans) text << " " << trace.nameOf(span) << " " << span.start << "-" << span.end;
    text << "\n";
  }
  return text.str();
}

/// 0F0 and its transfer, 1F0, 1B0 and its transfer, 0B0; 0F1 beside them.
PipelineWorld twoLanes() {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 12, 20);
  world.transfer(0, "0F0", 11, 14, 1);
  world.action(1, "1F0", 15, 35);
  world.action(1, "1B0", 35, 55);
  world.transfer(1, "1B0", 55, 60);
  world.action(0, "0B0", 60, 70);
  world.window(0, 70);
  return world;
}

std::string replayed(PipelineWorld world, const std::vector<std::string>& factors) {
  WhatIf what_if;
  for (const std::string& factor : factors) EXPECT_TRUE(addFactor(what_if, factor)) << factor;
  return writtenActions(replayWith(world.built(), what_if));
}

TEST(WhatIf, ARankTakesAllThatItsLaneDoes) {
  EXPECT_EQ(replayed(twoLanes(), {"rank:1=0.5"}), replayed(twoLanes(), {"stage:1=0.5"}));
  EXPECT_EQ(replayed(twoLanes(), {"rank:1=0.5", "rank:0=2"}), replayed(twoLanes(), {"stage:1=0.5", "stage:0=2"}));
  EXPECT_NE(replayed(twoLanes(), {"rank:0=2"}), replayed(twoLanes(), {}));
  WhatIf what_if;
  EXPECT_TRUE(addFactor(what_if, "rank:7=2"));
  EXPECT_EQ(unknownName(twoLanes().built(), what_if), "rank 7");
}

TEST(WhatIf, AStageTwiceAsFast) {
  EXPECT_EQ(replayed(twoLanes(), {"stage:1=0.5"}),
            "0 lanelab: 0F0 0-10 0F1 12-20 0B0 40-50\n"
            "0 transfer: send 0F0 11-14\n"
            "0 step: step 0 0-50\n"
            "1 lanelab: 1F0 15-25 1B0 25-35\n"
            "1 transfer: send 1B0 35-40\n");
}

TEST(WhatIf, ALinkFourTimesAsSlow) {
  EXPECT_EQ(replayed(twoLanes(), {"link:0=4"}),
            "0 lanelab: 0F0 0-10 0F1 12-20 0B0 84-94\n"
            "0 transfer: send 0F0 11-23\n"
            "0 step: step 0 0-94\n"
            "1 lanelab: 1F0 24-44 1B0 44-64\n"
            "1 transfer: send 1B0 64-84\n");
}

TEST(WhatIf, ABlockThatTakesNoTime) {
  PipelineWorld world = twoLanes();
  world.host(1, Category::Block, 20, 30);
  world.trace.names.back() = "layer3.0";
  const Trace trace = replayWith(world.built(), WhatIf{{}, {}, {{"layer3.0", 0.0}}});
  EXPECT_EQ(meanStepPeriod(trace), 60);
  EXPECT_EQ(trace.origin, Origin::Replayed);
}

TEST(WhatIf, HostsMoveWithWhatTheyHeldUpAndLateStepsFollow) {
  PipelineWorld world(1);
  world.action(0, "0F0", 0, 10, 0);
  world.host(0, Category::Data, 10, 15);
  world.action(0, "0F1", 15, 25, 0);
  world.action(0, "0F0", 30, 40, 1);
  EXPECT_EQ(replayed(world, {"stage:0=2"}),
            "0 lanelab: 0F0 0-20 0F1 25-45 0F0 50-70\n"
            "0 step: step 0 0-45 step 1 50-70\n"
            "0 data: data 20-25\n");
}

TEST(WhatIf, MovesTheCriticalPath) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 10, 20);
  world.action(1, "1F0", 10, 30);
  world.action(1, "1F1", 30, 50);
  const auto lengthOnLane0 = [](const Trace& trace) {
    Nanoseconds length = 0;
    const auto paths = criticalPaths(trace);
    for (const PathLink& link : paths.at(0).links) length += link.lane == 0 ? link.range.length() : 0;
    return length;
  };
  EXPECT_EQ(lengthOnLane0(world.built()), 10);
  EXPECT_EQ(lengthOnLane0(replayWith(world.built(), WhatIf{{{0, 3.0}}, {}, {}})), 60);
}

TEST(WhatIfProperty, WithoutFactorsEverythingStaysWhereItWas) {
  std::mt19937 random(11);
  const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    const int lanes = 1 + upTo(4);
    PipelineWorld world(lanes);
    Nanoseconds time = 5;
    for (int number = 0; number < 2; ++number) {
      PlannedStep step;
      step.schedule = scheduleOf(upTo(2) == 0 ? "1f1b" : "zb-h1", lanes, lanes, 1 + upTo(5));
      step.queued = upTo(3);
      step.copy = upTo(9);
      for (const auto& row : step.schedule.lanes) {
        for (const Action& action : row) {
          step.lengths[action] = 1 + upTo(50);
          if (upTo(3) == 0) step.delays[action] = {upTo(2) == 0 ? Cause::Data : Cause::Unresolved, 1 + upTo(20)};
        }
      }
      const Nanoseconds end = run(world, step, time, number);
      world.window(time - upTo(3), end + upTo(3), number);
      time = end + 10;
    }
    const Trace& trace = world.built();
    ASSERT_EQ(writtenActions(replayWith(trace, {})), writtenActions(trace));
    // Everything twice as slow, delays apart, is never faster.
    WhatIf slower;
    for (int stage = 0; stage < lanes; ++stage) slower.stages[stage] = slower.links[stage] = 2;
    ASSERT_GT(*meanStepPeriod(replayWith(trace, slower)), *meanStepPeriod(trace));
  }
}

TEST(WhatIf, ReadsFactorsAndRefusesWhatIsNone) {
  WhatIf what_if;
  for (const char* const text : {"stage:1=0.5", "link:0=2", "layer3.0=0"})
    EXPECT_TRUE(addFactor(what_if, text)) << text;
  EXPECT_EQ(what_if.stages.at(1), 0.5);
  EXPECT_EQ(what_if.links.at(0), 2);
  EXPECT_EQ(what_if.blocks.find("layer3.0")->second, 0);
  for (const char* const text :
       {"", "=1", "stage:1", "stage:x=1", "stage:-1=1", "link:=1", "a=", "a=b", "a=-1", "a=1001", "a=nan", "a=1x"})
    EXPECT_FALSE(addFactor(what_if, text)) << text;
}

TEST(WhatIf, NamesWhatTheTraceLacks) {
  PipelineWorld world = twoLanes();
  world.host(1, Category::Block, 20, 30);
  world.trace.names.back() = "layer3.0";
  const Trace& trace = world.built();
  EXPECT_EQ(unknownName(trace, WhatIf{{{0, 1.0}, {1, 1.0}}, {{0, 1.0}}, {{"layer3.0", 1.0}}}), "");
  EXPECT_EQ(unknownName(trace, WhatIf{{{2, 1.0}}, {}, {}}), "stage 2");
  EXPECT_EQ(unknownName(trace, WhatIf{{}, {{1, 1.0}}, {}}), "link 1");
  EXPECT_EQ(unknownName(trace, WhatIf{{}, {}, {{"layer4.0", 1.0}}}), "block layer4.0");
}

TEST(WhatIf, OfATraceWithoutActionsNothingIsLeft) {
  EXPECT_EQ(meanStepPeriod(Trace{}), std::nullopt);
  EXPECT_EQ(replayWith(Trace{}, {}).spanCount(), 0u);
}

}  // namespace
}  // namespace lanelab
