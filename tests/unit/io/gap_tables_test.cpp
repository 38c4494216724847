// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/tables/begin_time.h"

#include <gtest/gtest.h>

#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/what_if.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using TableRow = std::vector<std::string>;

/// Two lanes, forward only: the second stage takes three times as long.
Trace unequalStages() {
  SmallWorld world;
  const auto left = world.track(world.lane("left", "cpu:0"), Track::Kind::Compute, "compute");
  const auto right = world.track(world.lane("right", "cpu:1"), Track::Kind::Compute, "compute");
  for (int m = 0; m < 2; ++m) {
    world.action(left, 0, Phase::Forward, m, m * 10'000, m * 10'000 + 10'000);
    world.action(right, 1, Phase::Forward, m, 10'000 + m * 30'000, 40'000 + m * 30'000);
  }
  return world.trace;
}

TEST(GapTables, OfLanesAndAllOfThem) {
  const TableRows rows = laneRows(explainIdle(unequalStages()));
  EXPECT_EQ(rows, (TableRows{{"Lane", "Step windows", "Busy", "Idle", "Utilization"},
                             {"left", "70.0 µs", "20.0 µs", "50.0 µs", "28.6 %"},
                             {"right", "70.0 µs", "60.0 µs", "10.0 µs", "85.7 %"},
                             {"all lanes", "140 µs", "80.0 µs", "60.0 µs", "57.1 %"}}));
}

TEST(GapTables, CutLongNamesOfLanesAndKeepThemOnOneLine) {
  Trace trace = unequalStages();
  trace.lanes[0].name = std::string(10'000, 'a');
  trace.lanes[1].name = "two\nlines";
  const TableRows rows = laneRows(explainIdle(trace));
  EXPECT_EQ(rows[1][0], std::string(99, 'a') + "..." + std::string(98, 'a'));
  EXPECT_EQ(rows[2][0], "two\\nlines");
}

TEST(GapTables, OfCausesTheLargestFirst) {
  const TableRows rows = causeRows(explainIdle(unequalStages()));
  EXPECT_EQ(rows, (TableRows{{"Cause", "left", "right", "all lanes", "Share of idle"},
                             {"imbalance", "30.0 µs", "0 ns", "30.0 µs", "50.0 %"},
                             {"drain", "20.0 µs", "0 ns", "20.0 µs", "33.3 %"},
                             {"fill", "0 ns", "10.0 µs", "10.0 µs", "16.7 %"},
                             {"idle", "50.0 µs", "10.0 µs", "60.0 µs", "100.0 %"}}));
}

TEST(GapTables, OfTheLongestGapsWithWhyTheyAreThere) {
  const Trace trace = unequalStages();
  const IdleCauses causes = explainIdle(trace);
  const TableRow header = {"Lane", "Next action", "Causes", "Step", "Start", "Duration"};
  const TableRow longest = {"left", "end", "imbalance 60.0 %, drain 40.0 %", "1", "20.000 µs", "50.0 µs"};
  const TableRow other = {"right", "1F0", "fill", "1", "0.000 µs", "10.0 µs"};
  EXPECT_EQ(gapRows(trace, causes, 10, std::nullopt, 0), (TableRows{header, longest, other}));
  EXPECT_EQ(gapRows(trace, causes, 1, std::nullopt, 0), (TableRows{header, longest}));
  EXPECT_EQ(gapRows(trace, causes, 10, 1, 0), (TableRows{header, other}));
  EXPECT_EQ(gapRows(trace, causes, 1, 1, 10'000)[1][4], "-10.000 µs");
}

TEST(GapTables, SayWhatCostsMostAndWhatFixesIt) {
  EXPECT_EQ(idleSentence(explainIdle(unequalStages())).message,
            "Lanes are idle 42.9 % of the time; largest cause: fill and drain (30.0 µs, 50.0 % of the idle time). "
            "Use more micro-batches or an interleaved or zero-bubble schedule.");
  EXPECT_EQ(idleSentence({}).message, "The trace has no actions, kernels or operators that LaneLab knows.");
}

TEST(GapTables, ShowTheBubbleOfTheOrderItself) {
  const Trace trace = unequalStages();
  const IdleCauses causes = explainIdle(trace);
  const std::vector<WaterfallStep> waterfall = idleWaterfall(trace, causes);
  EXPECT_EQ(bubbleSentence(causes, waterfall),
            "Bubble (fill and drain): 21.4 % of the lane time (as in zero bubble), 37.5 % of the busy time (as in "
            "Megatron-LM). Ideal for this order, with equal stages and F = I = W: 33.3 %, which is (p-1)/(m+p-1) for "
            "GPipe and 1F1B, and 50.0 %, (p-1)/m.");
  EXPECT_EQ(waterfallRows(waterfall), (TableRows{{"Idle share of the lane time", "", ""},
                                                 {"this order, with equal stages and F = I = W", "33.3 %", ""},
                                                 {"with the measured stages", "42.9 %", "+9.5"},
                                                 {"measured", "42.9 %", "+0.0"}}));
}

/// One lane works from 0 to 8 µs of a step of 10 µs, the others never; those `with_rows` have a row all the same.
Trace oneLaneOf(int lanes, int with_rows) {
  SmallWorld world;
  for (int lane = 0; lane < lanes; ++lane) {
    const auto index = world.lane("cpu:" + std::to_string(lane), "cpu:" + std::to_string(lane));
    if (lane >= with_rows) continue;
    const auto track = world.track(index, Track::Kind::Compute, "compute");
    if (lane > 0) continue;
    world.span(world.track(index, Track::Kind::Step, "steps"), Category::Step, "step 0", 0, 10'000);
    world.action(track, 0, Phase::Forward, 0, 0, 8'000);
  }
  return world.trace;
}

TEST(GapTables, AreOfTheLanesThatTakePart) {
  for (const int lanes : {1, 2, 3}) {
    const Trace trace = oneLaneOf(lanes, 1);
    const IdleCauses causes = explainIdle(trace);
    ASSERT_EQ(causes.lanes.size(), 1U) << lanes;
    EXPECT_TRUE(idleSentence(causes).message.starts_with("Lanes are idle 20.0 % of the time; "))
        << idleSentence(causes).message;
    EXPECT_EQ(laneRows(causes).size(), 2U) << "titles and one lane";
    EXPECT_EQ(gapRows(trace, causes, 9, std::nullopt, 0).size(), 2U);
  }
}

TEST(GapTables, OfLanesWithoutWorkSaySoAndNothingElse) {
  const Trace trace = oneLaneOf(2, 2);
  const IdleCauses causes = explainIdle(trace);
  const std::string sentence = idleSentence(causes).message;
  EXPECT_TRUE(sentence.starts_with("cpu:1 computes in none of the steps. The other lane is idle 20.0 % of the time; "))
      << sentence;
  EXPECT_EQ(bubbleShares(causes).of_total, 0) << "no order would fill the other lane";
  EXPECT_EQ(gapRows(trace, causes, 1, std::nullopt, 0)[1],
            (TableRow{"cpu:1", "end", "no work in the steps", "1", "0.000 µs", "10.0 µs"}));
  EXPECT_EQ(laneRows(causes).back(), (TableRow{"lanes with work", "10.0 µs", "8.00 µs", "2.00 µs", "80.0 %"}))
      << "the sum leaves the other lane out";
  const TableRows rows = causeRows(causes);
  EXPECT_EQ(rows.front(), (TableRow{"Cause", "cpu:0", "Share of idle"})) << "idle time without a cause has no column";
  EXPECT_EQ(rows.back(), (TableRow{"idle", "2.00 µs", "100.0 %"}));
  const std::string of_three = idleSentence(explainIdle(oneLaneOf(3, 3))).message;
  EXPECT_TRUE(of_three.starts_with("cpu:1 and cpu:2 compute in none of the steps. The other lane is idle 20.0 %"))
      << of_three;
}

TEST(GapTables, OfAGapWithManyCausesNameTheThreeLargest) {
  SmallWorld world;
  const auto lane = world.lane("left", "cpu:0");
  const auto host = world.track(lane, Track::Kind::Host, "host");
  world.action(world.track(lane, Track::Kind::Compute, "compute"), 0, Phase::Update, 0, 1000, 1100);
  world.span(world.track(lane, Track::Kind::Step, "steps"), Category::Step, "step 0", 0, 1100);
  world.span(host, Category::Data, "data", 0, 400);
  world.span(host, Category::Sync, "sync", 400, 700);
  world.span(host, Category::Allocator, "allocator", 700, 900);
  world.span(host, Category::Profiler, "profiler", 900, 995);
  EXPECT_EQ(gapRows(world.trace, explainIdle(world.trace), 1, std::nullopt, 0)[1][2],
            "data 40.0 %, sync 30.0 %, allocator 20.0 %, other 10.0 %");
}

TEST(GapTables, LeaveTheColumnsOfManyLanesOut) {
  SmallWorld world;
  for (int lane = 0; lane < 9; ++lane) {
    const auto track = world.track(world.lane("lane", ""), Track::Kind::Compute, "compute");
    world.action(track, lane, Phase::Forward, 0, lane * 10, lane * 10 + 10);
  }
  EXPECT_EQ(causeRows(explainIdle(world.trace))[0], (TableRow{"Cause", "all lanes", "Share of idle"}));
}

TEST(GapTables, ShortenTheNamesOfKernels) {
  SmallWorld world;
  const auto track = world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream");
  world.span(track, Category::Kernel, "first", 0, 10);
  world.span(track, Category::Kernel,
             "void at::native::vectorized_elementwise_kern\xC3\xBC<4, at::native::CUDAFunctor_add<float> >", 20, 30);
  const IdleCauses causes = explainIdle(world.trace);
  EXPECT_EQ(causeRows(causes)[0], (TableRow{"Cause", "GPU 0", "Share of idle"}));
  EXPECT_EQ(gapRows(world.trace, causes, 1, std::nullopt, 0)[1][1], "void at::native::vector...DAFunctor_add<float> >");
  EXPECT_EQ(gapRows(world.trace, causes, 1, std::nullopt, 0)[0][1], "Next kernel");
  EXPECT_EQ(bubbleSentence(causes, {}), "");
}

TEST(GapTables, SayHowMuchCommunicationIsExposedAndHowToHideIt) {
  SmallWorld world;
  const auto track = world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream");
  world.span(track, Category::Kernel, "gemm", 0, 10'000);
  world.span(track, Category::Communication, "ncclDevKernel", 5'000, 20'000);
  world.span(track, Category::Kernel, "gemm", 20'000, 30'000);
  const IdleCauses causes = explainIdle(world.trace);
  EXPECT_EQ(laneRows(causes), (TableRows{{"Lane", "Window", "Busy", "Idle", "Utilization", "Communication", "Exposed"},
                                         {"GPU 0", "30.0 µs", "20.0 µs", "10.0 µs", "66.7 %", "15.0 µs", "10.0 µs"}}));
  EXPECT_EQ(
      communicationSentence(causes).message,
      "Communication takes 15.0 µs; 66.7 % of it (10.0 µs) is exposed: no kernel computes meanwhile, so it counts "
      "as idle time.");
  EXPECT_EQ(idleSentence(causes).message,
            "Lanes are idle 33.3 % of the time; largest cause: communication (10.0 µs, 100.0 % of the idle time). "
            "Start collectives earlier, in smaller buckets, or overlap them with compute.");
  EXPECT_EQ(communicationSentence(explainIdle(unequalStages())).message, "");
}

TEST(GapTables, AdviseOnKernelsWhereThereAreNoActions) {
  SmallWorld world;
  const auto track = world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream");
  for (const Category cause : {Category::Memcpy, Category::Memset}) {
    world.span(track, Category::Kernel, "a", 0, 10);
    world.span(track, cause, "copy", 10, 100);
    world.span(track, Category::Kernel, "b", 100, 110);
    const std::string sentence = idleSentence(explainIdle(world.trace)).message;
    for (const char* ours : {"action", "stage", "micro-batch", "lane's", "cut where", "schedule"})
      EXPECT_EQ(sentence.find(ours), std::string::npos) << sentence;
  }
}

TEST(BeginTime, IsADateIfTheTraceKnowsIt) {
  SmallWorld world;
  const auto track = world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream");
  world.span(track, Category::Kernel, "a", 1'712'170'298'123'456'789, 1'712'170'298'123'456'800);
  EXPECT_EQ(
      beginSentence(world.trace, world.trace.range().start, 0),
      "Starts count from the beginning of the trace, 2024-04-03 18:51:38.123456 UTC (1712170298123456.789 µs in the "
      "file).");
  EXPECT_EQ(unixTimeOf(world.trace, 5'000), std::nullopt);
  world.trace.epoch = 1'712'170'298'000'000'000;
  EXPECT_EQ(unixTimeOf(world.trace, 5'000), 1'712'170'298'000'005'000);
  world.trace.epoch = std::numeric_limits<Nanoseconds>::max();
  EXPECT_EQ(unixTimeOf(world.trace, 5'000), std::nullopt);
}

TEST(BeginTime, OfAClockOfItsOwnIsAPlaceInTheFile) {
  SmallWorld world;
  world.span(world.track(world.lane("GPU 0", ""), Track::Kind::Stream, "stream"), Category::Kernel, "a", 7'000, 8'000);
  EXPECT_EQ(beginSentence(world.trace, world.trace.range().start, 0),
            "Starts count from the beginning of the trace (7.000 µs in the file).");
  EXPECT_EQ(beginSentence(world.trace, 7'000, 7'000), "Starts count from the beginning of the trace.");
}

TEST(GapTables, SayWhatTheStepHangsOn) {
  EXPECT_EQ(pathSentence(criticalPaths(unequalStages())), "Critical path of the step: actions 100.0 %.");
  EXPECT_EQ(pathSentence(criticalPaths(twoLanePipeline())),
            "Critical path of the step: actions 77.8 %, transfers 6.0 %, waits 16.3 %.");
  EXPECT_EQ(pathSentence({}), "");
}

TEST(GapTables, SayHowLongAStepTakesWhenItIsPlayedAgain) {
  const Trace trace = unequalStages();
  EXPECT_EQ(whatIfSentence(trace, replayWith(trace, WhatIf{{{1, 0.5}}, {}, {}})),
            "Replayed, not measured: the mean step takes 40.0 µs instead of 70.0 µs, 42.9 % less.");
  EXPECT_EQ(whatIfSentence(trace, trace),
            "Replayed, not measured: the mean step takes 70.0 µs instead of 70.0 µs, the same.");
}

/// One lane whose action of 10 µs had a core for `cpu`.
Trace oneAction(Nanoseconds cpu, Origin origin = Origin::Measured) {
  Trace trace;
  trace.origin = origin;
  trace.lanes = {{"cpu:0", "cpu:0"}};
  trace.names = {"0F0"};
  Span action;
  action.category = Category::Action;
  action.start = 1'000;
  action.end = 11'000;
  action.cpu = cpu;
  trace.tracks.push_back({0, Track::Kind::Compute, "compute", {}});
  trace.tracks[0].spans.push_back(action);
  return trace;
}

TEST(GapTables, SayWhenTheThreadsHadNoCore) {
  EXPECT_EQ(coreSentence(oneAction(1'730)).message,
            "cpu:0 had a core for only 17.3 % of its compute time: other programs or lanes used the cores, or threads "
            "waited for helper threads. Do not rely on these times, nor on what is predicted from them.");
  EXPECT_NE(coreSentence(oneAction(7'999)).message, "");
  EXPECT_EQ(coreSentence(oneAction(8'000)).message, "");
  EXPECT_EQ(coreSentence(oneAction(-1)).message, "") << "not known";
  EXPECT_EQ(coreSentence(oneAction(1'730, Origin::Replayed)).message, "");
  EXPECT_EQ(coreSentence({}).message, "");
}

TEST(DurationText, HasThreeFigures) {
  EXPECT_EQ(plainDuration(0), "0 ns");
  EXPECT_EQ(plainDuration(999), "999 ns");
  EXPECT_EQ(plainDuration(1'000), "1.00 µs");
  EXPECT_EQ(plainDuration(9'996), "10.0 µs");
  EXPECT_EQ(plainDuration(99'960), "100 µs");
  EXPECT_EQ(plainDuration(999'600), "1.00 ms");
  EXPECT_EQ(plainDuration(12'345'678), "12.3 ms");
  EXPECT_EQ(plainDuration(-1'500'000'000), "-1.50 s");
  EXPECT_EQ(plainDuration(4'000'000'000'000), "4000 s");
}

}  // namespace
}  // namespace lanelab
