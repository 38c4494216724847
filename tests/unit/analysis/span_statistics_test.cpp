// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/span_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/dice.h"
#include "tests/unit/analysis/statistics_world.h"

namespace lanelab {
namespace {

using testworld::statisticsOf;
using testworld::StatisticsWorld;
using testworld::toldGroups;
using testworld::ToldSpan;
using testworld::toldTotals;
using Kind = Track::Kind;

TEST(SpanStatistics, CountAndLengthsOfEachNameAreThoseOfAHand) {
  const auto trace =
      StatisticsWorld()
          .row(0, Kind::Host, {{"add", 0, 10}, {"mul", 10, 40}, {"add", 50, 70}, {"add", 80, 120}, {"add", 200, 202}})
          .built();
  EXPECT_EQ(toldGroups(*trace, statisticsOf(*trace, Grouping::Name)),
            "add 4x total 72 self 72 mean 18 median 15 p95 37 longest 40 at 80; "
            "mul 1x total 30 self 30 mean 30 median 30 p95 30 longest 30 at 10");
}

TEST(SpanStatistics, PercentilesAreThoseOfNumPy) {
  // numpy.percentile([1, 2, 3, 4, 10, 20], [50, 95]) is [3.5, 17.5]
  std::vector<ToldSpan> spans;
  Nanoseconds at = 0;
  for (const Nanoseconds length : {3, 20, 1, 10, 2, 4}) {
    spans.push_back({"op", at, at + length * 1000});
    at += 100'000;
  }
  const auto trace = StatisticsWorld().row(0, Kind::Host, spans).built();
  const SpanStatistics statistics = statisticsOf(*trace, Grouping::Name);
  ASSERT_EQ(statistics.groups.size(), 1U);
  EXPECT_EQ(statistics.groups[0].median, 3500);
  EXPECT_EQ(statistics.groups[0].p95, 17'500);
}

TEST(SpanStatistics, SpansWithinSpansCountOnceInATotal) {
  // forward contains conv, which contains conv (recursion) and add; another row does conv at the same time.
  const auto trace =
      StatisticsWorld()
          .row(0, Kind::Host,
               {{"forward", 0, 100}, {"conv", 10, 60}, {"conv", 20, 40}, {"add", 30, 35}, {"conv", 70, 80}})
          .row(0, Kind::Host, {{"conv", 0, 50}})
          .built();
  const SpanStatistics statistics = statisticsOf(*trace, Grouping::Name);
  EXPECT_EQ(toldTotals(*trace, statistics),
            "conv 4x total 110 self 105; forward 1x total 100 self 40; add 1x total 5 self 5");
  EXPECT_EQ(statistics.all.count, 6U);
  EXPECT_EQ(statistics.all.total, 150) << "each row's time once";
  EXPECT_EQ(statistics.all.self, 150);
  EXPECT_EQ(statistics.groups[0].mean, 33) << "of all four, 50 + 20 + 10 + 50";
}

TEST(SpanStatistics, SpansThatOverlapWithoutNestingGiveEachMomentToTheLaterOne) {
  const auto trace = StatisticsWorld().row(0, Kind::Host, {{"a", 0, 50}, {"b", 30, 80}, {"a", 90, 100}}).built();
  EXPECT_EQ(toldTotals(*trace, statisticsOf(*trace, Grouping::Name)), "a 2x total 60 self 40; b 1x total 50 self 50");
}

/// Two lanes of a pipeline of one step: actions with blocks and operators within, a transfer, a wait, a loader.
std::shared_ptr<const Trace> runTrace() {
  const auto action = [](const char* name, Nanoseconds start, Nanoseconds end, int stage, Phase phase, int step = 0) {
    return ToldSpan{name, start, end, Category::Action, stage, step, phase};
  };
  const auto block = [](const char* name, Nanoseconds start, Nanoseconds end, int stage) {
    return ToldSpan{name, start, end, Category::Block, stage, 0, Phase::Forward};
  };
  const auto op = [](const char* name, Nanoseconds start, Nanoseconds end, int stage) {
    return ToldSpan{name, start, end, Category::CpuOp, stage, 0, Phase::Forward};
  };
  return StatisticsWorld({{"", "cpu:0"}, {"second", "cpu:1"}})
      .row(0, Kind::Step, {{"step 0", 0, 200, Category::Step, -1, 0}, {"step 1", 200, 300, Category::Step, -1, 1}})
      .row(0, Kind::Compute,
           {action("0F0", 10, 50, 0, Phase::Forward), action("0B0", 120, 180, 0, Phase::Backward),
            action("0F0", 210, 250, 0, Phase::Forward, 1)})
      .row(0, Kind::Detail,
           {block("stem", 10, 20, 0), block("layer1.0", 20, 45, 0), op("aten::conv2d", 20, 40, 0),
            op("aten::relu", 40, 44, 0)})
      .row(0, Kind::Transfer, {{"0F0", 50, 55, Category::Transfer, 0, 0, Phase::Forward}})
      .row(0, Kind::Host,
           {{"data", 0, 10, Category::Data, -1, 0}, {"wait", 55, 120, Category::Wait, 0, 0, Phase::Backward}})
      .row(1, Kind::Compute, {action("1F0", 55, 80, 1, Phase::Forward), action("1B0", 80, 115, 1, Phase::Backward)})
      .row(1, Kind::Detail, {block("layer2.0", 55, 65, 1), block("layer2.1", 65, 80, 1)})
      .built();
}

TEST(SpanStatistics, EachGroupingNamesItsGroups) {
  struct Grouped {
    Grouping by;
    const char* totals;
    std::uint64_t without;
  };
  const auto trace = runTrace();
  for (const Grouped& each :
       {Grouped{Grouping::Block,
                "layer1.0 3x total 25 self 25; layer2.1 1x total 15 self 15; stem 1x total 10 self 10; "
                "layer2.0 1x total 10 self 10",
                7},
        Grouped{Grouping::Module, "layer1 3x total 25 self 25; layer2 2x total 25 self 25; stem 1x total 10 self 10",
                7},
        Grouped{Grouping::Category,
                "lanelab 5x total 200 self 140; block 4x total 60 self 36; cpu_op 2x total 24 self 24; "
                "data 1x total 10 self 10; transfer 1x total 5 self 5",
                0},
        Grouped{Grouping::Operation,
                "forward 9x total 105 self 105; backward 2x total 95 self 95; data 1x total 10 self 10; "
                "transfer of forward 1x total 5 self 5",
                0},
        Grouped{Grouping::Stage, "0 8x total 145 self 145; 1 4x total 60 self 60", 1},
        Grouped{Grouping::Lane, "cpu:0 9x total 155 self 155; second 4x total 60 self 60", 0}}) {
    const SpanStatistics statistics = statisticsOf(*trace, each.by);
    EXPECT_EQ(toldTotals(*trace, statistics), each.totals) << toWord(each.by);
    EXPECT_EQ(statistics.without_group, each.without) << toWord(each.by);
  }
}

TEST(SpanStatistics, ATraceOffersTheGroupingsThatItHas) {
  const auto offered = [](const Trace& trace) {
    std::string text;
    for (const Grouping by : groupingsOf(trace, nullptr)) text += (text.empty() ? "" : " ") + toWord(by);
    return text;
  };
  EXPECT_EQ(offered(*runTrace()), "name block module category operation stage lane");
  EXPECT_EQ(offered(*StatisticsWorld().row(0, Kind::Host, {{"aten::add", 0, 5}}).built()),
            "name category operation lane");
  EXPECT_EQ(offered(*StatisticsWorld({{"rank 0 python", ""}, {"rank 1 python", ""}})
                         .row(0, Kind::Host, {{"nn.Module: Linear_0", 0, 5, Category::Other}})
                         .built()),
            "name module category operation lane rank");
}

TEST(SpanStatistics, ModulesOfPyTorchAreTheInnermostAroundEachSpan) {
  const auto trace = StatisticsWorld()
                         .row(0, Kind::Host,
                              {{"nn.Module: Net_0", 0, 100, Category::Other},
                               {"nn.Module: Linear_0", 10, 40, Category::Other},
                               {"aten::addmm", 15, 30},
                               {"aten::relu", 50, 60},
                               {"aten::add", 120, 130}})
                         .built();
  const SpanStatistics statistics = statisticsOf(*trace, Grouping::Module);
  EXPECT_EQ(toldTotals(*trace, statistics), "Net_0 2x total 100 self 70; Linear_0 2x total 30 self 30");
  EXPECT_EQ(statistics.without_group, 1U);
}

TEST(SpanStatistics, RanksAreThoseOfTheProcesses) {
  const auto trace = StatisticsWorld({{"Rank_00 python", ""}, {"[TP01] GPU 1", ""}, {"other", ""}})
                         .row(0, Kind::Host, {{"a", 0, 10}})
                         .row(1, Kind::Host, {{"a", 0, 20}})
                         .row(2, Kind::Host, {{"a", 0, 40}})
                         .built();
  const SpanStatistics statistics = statisticsOf(*trace, Grouping::Rank);
  EXPECT_EQ(toldTotals(*trace, statistics), "tp01 1x total 20 self 20; rank 0 1x total 10 self 10");
  EXPECT_EQ(statistics.without_group, 1U);
}

TEST(SpanStatistics, ARangeCountsThePartInsideOfWhatItCuts) {
  const auto trace =
      StatisticsWorld()
          .row(0, Kind::Host, {{"a", 0, 100}, {"b", 10, 30}, {"b", 40, 40}, {"b", 50, 90}, {"b", 95, 99}})
          .built();
  struct CutAt {
    TimeRange range;
    const char* totals;
    std::uint64_t cut;
    Nanoseconds window;
  };
  for (const CutAt& each :
       {CutAt{{-50, 500}, "a 1x total 100 self 36; b 4x total 64 self 64", 0, 100},
        CutAt{{20, 60}, "a 1x total 40 self 20; b 3x total 20 self 20", 3, 40},
        CutAt{{30, 40}, "a 1x total 10 self 10", 1, 10},  // half-open: nothing of b is in it
        CutAt{{40, 50}, "a 1x total 10 self 10; b 1x total 0 self 0", 1, 10}, CutAt{{100, 200}, "", 0, 0}}) {
    const SpanStatistics statistics = statisticsOf(*trace, Grouping::Name, {each.range});
    EXPECT_EQ(toldTotals(*trace, statistics), each.totals) << each.range.start;
    EXPECT_EQ(statistics.cut, each.cut) << each.range.start;
    EXPECT_EQ(statistics.window.length(), each.window) << each.range.start;
  }
}

TEST(SpanStatistics, AStepCountsItsOwnSpansInItsWindow) {
  const auto trace = runTrace();
  EXPECT_EQ(stepNumbers(*trace), (std::vector<int>{0, 1}));
  const SpanStatistics second = statisticsOf(*trace, Grouping::Name, {{}, 1});
  EXPECT_EQ(toldTotals(*trace, second), "0F0 1x total 40 self 40");
  EXPECT_EQ(second.window, (TimeRange{200, 300}));
  EXPECT_EQ(second.laneTime(), 200);
  EXPECT_DOUBLE_EQ(second.shareOf(second.groups[0]), 0.2);
  EXPECT_FALSE(spanStatistics(*trace, nullptr, Grouping::Name, {{}, 2}).has_value());
}

TEST(SpanStatistics, AStepOfAnotherProgramIsWhatItMarked) {
  const auto trace = StatisticsWorld()
                         .row(0, Kind::Host,
                              {{"ProfilerStep#7", 0, 100, Category::Other},
                               {"aten::add", 10, 20},
                               {"ProfilerStep#8", 100, 200, Category::Other},
                               {"aten::add", 110, 140}})
                         .built();
  EXPECT_EQ(stepNumbers(*trace), (std::vector<int>{7, 8}));
  const SpanStatistics step = statisticsOf(*trace, Grouping::Name, {{}, 8});
  EXPECT_EQ(toldTotals(*trace, step), "ProfilerStep#8 1x total 100 self 70; aten::add 1x total 30 self 30");
  EXPECT_EQ(step.window, (TimeRange{100, 200}));
}

TEST(SpanStatistics, OfNothingThereIsNothing) {
  for (const auto& trace : {StatisticsWorld().built(), StatisticsWorld(std::vector<LaneInfo>()).built()}) {
    for (const Grouping by : {Grouping::Name, Grouping::Block, Grouping::Module, Grouping::Stage, Grouping::Rank}) {
      const SpanStatistics statistics = statisticsOf(*trace, by);
      EXPECT_TRUE(statistics.groups.empty());
      EXPECT_EQ(statistics.all.count, 0U);
      EXPECT_EQ(statistics.laneTime(), 0);
    }
    EXPECT_TRUE(stepNumbers(*trace).empty());
  }
}

TEST(SpanStatistics, CountedSpansOfAGroupAreThoseOfItsFigures) {
  const auto trace = runTrace();
  for (const Grouping by : groupingsOf(*trace, nullptr)) {
    const SpanKeys keys(*trace, nullptr, by);
    const CountedPart part{TimeRange{30, 220}, {}};
    const CountedTimes times = *countedTimes(*trace, nullptr, lanesOfWork(*trace, nullptr), part);
    for (const GroupStatistics& group : statisticsOf(*trace, by, part).groups) {
      const std::vector<SpanMatch> spans = countedSpans(*trace, times, keys, group.key);
      EXPECT_EQ(spans.size(), group.count) << toWord(by) << ' ' << keys.nameOf(group.key);
      EXPECT_TRUE(std::ranges::is_sorted(spans));
      EXPECT_NE(std::ranges::find(spans, group.longest_span), spans.end());
    }
  }
}

/// Rows of spans that mostly nest and sometimes overlap, in lanes with actions or without.
std::shared_ptr<const Trace> randomTrace(test::Dice& dice) {
  const bool acts = dice.below(2) == 0;
  StatisticsWorld world({{"rank 0", "a"}, {"rank 1", "b"}});
  for (int row = 0; row < 5; ++row) {
    std::vector<ToldSpan> spans;
    const bool compute = acts && row < 2;
    Nanoseconds at = dice.below(50);
    for (int i = 0; i < 60; ++i) {
      const Nanoseconds end = at + dice.below(40);
      const Category category = compute              ? Category::Action
                                : dice.below(3) == 0 ? Category::Block
                                : dice.below(2) == 0 ? Category::Kernel
                                                     : Category::CpuOp;
      spans.push_back({"block." + std::to_string(dice.below(4)), at, end, category, dice.below(3) - 1, dice.below(3)});
      at = compute ? end : at + dice.below(15);
    }
    world.row(row % 2, compute ? Kind::Compute : row < 4 ? Kind::Detail : Kind::Host, spans);
  }
  return world.built();
}

TEST(SpanStatistics, GroupsAddUpToAllInAnyTraceAndRange) {
  test::Dice dice(7);
  for (int trial = 0; trial < 300; ++trial) {
    const auto trace = randomTrace(dice);
    CountedPart part;
    const Nanoseconds from = dice.below(400);
    if (trial % 2 == 1) part.range = TimeRange{from, from + dice.below(400)};
    if (trial % 5 == 0) part.step = dice.below(3);
    for (const Grouping by : groupingsOf(*trace, nullptr)) {
      const auto statistics = spanStatistics(*trace, nullptr, by, part);
      if (!statistics) continue;  // the trace has no such step
      Nanoseconds self = 0, total = 0;
      std::uint64_t count = 0;
      for (const GroupStatistics& group : statistics->groups) {
        self += group.self;
        total += group.total;
        count += group.count;
        EXPECT_LE(group.self, group.total);
        EXPECT_LE(group.total,
                  group.mean * static_cast<Nanoseconds>(group.count) + static_cast<Nanoseconds>(group.count));
        EXPECT_LE(group.median, group.p95);
        EXPECT_LE(group.p95, group.longest);
      }
      EXPECT_EQ(self, statistics->all.total) << trial << ' ' << toWord(by);
      EXPECT_EQ(self, statistics->all.self) << trial << ' ' << toWord(by);
      EXPECT_EQ(count, statistics->all.count) << trial << ' ' << toWord(by);
      EXPECT_GE(total, self);
      const bool rows = by == Grouping::Lane || by == Grouping::Rank;
      EXPECT_TRUE(!rows || total == statistics->all.total) << trial << ' ' << toWord(by);
    }
  }
}

}  // namespace
}  // namespace lanelab
