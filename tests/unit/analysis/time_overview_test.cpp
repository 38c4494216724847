// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/time_overview.h"

#include <gtest/gtest.h>

#include "tests/support/dice.h"
#include "tests/unit/analysis/statistics_world.h"

namespace lanelab {
namespace {

using testworld::statisticsOf;
using testworld::StatisticsWorld;
using testworld::toldParts;
using testworld::ToldSpan;
using Kind = Track::Kind;

TEST(TimeOverview, OfARunCountsEachMomentForTheFirstPartThatHoldsIt) {
  const auto trace =
      StatisticsWorld({{"", "cpu:0"}, {"second", "cpu:1"}})
          .row(0, Kind::Compute, {{"0F0", 10, 50, Category::Action, 0}, {"0B0", 70, 90, Category::Action, 0}})
          .row(0, Kind::Detail, {{"stem", 10, 50, Category::Block, 0}})
          .row(0, Kind::Transfer, {{"0F0", 40, 60, Category::Transfer, 0}})
          .row(0, Kind::Host,
               {{"data", 0, 12, Category::Data},
                {"allocate", 55, 65, Category::Allocator},
                {"evaluation", 90, 100, Category::Evaluation}})
          .row(0, Kind::Host, {{"gradients", 84, 95, Category::Sync}}, "replicas")
          .row(1, Kind::Compute, {{"1F0", 60, 70, Category::Action, 1}})
          .built();
  const TimeOverview overview = statisticsOf(*trace, Grouping::Name).overview;
  ASSERT_EQ(overview.lanes.size(), 2U);
  EXPECT_EQ(overview.lanes[0].name, "cpu:0");
  EXPECT_EQ(toldParts(overview.lanes[0]), "compute 60 exposed_communication 15 data 10 host 5 other 5 idle 5");
  EXPECT_EQ(toldParts(overview.lanes[1]), "compute 10 idle 90");
  EXPECT_EQ(toldParts(overview.sum()), "compute 70 exposed_communication 15 data 10 host 5 other 5 idle 95");
  EXPECT_EQ(overview.sum().window, 200);
}

TEST(TimeOverview, OfAGpuComputeHidesCommunicationAndCopies) {
  const auto trace =
      StatisticsWorld(std::vector<LaneInfo>{{"GPU 0", ""}})
          .row(0, Kind::Stream, {{"gemm", 10, 40, Category::Kernel}, {"gelu", 60, 70, Category::Kernel}})
          .row(0, Kind::Stream, {{"ncclDevKernel", 30, 55, Category::Communication}})
          .row(0, Kind::Stream, {{"Memcpy HtoD", 50, 58, Category::Memcpy}, {"Memset", 80, 85, Category::Memset}})
          .built();
  const TimeOverview overview = statisticsOf(*trace, Grouping::Name).overview;
  ASSERT_EQ(overview.lanes.size(), 1U);
  EXPECT_EQ(toldParts(overview.lanes[0]), "compute 40 exposed_communication 15 memory 8 idle 12");
}

TEST(TimeOverview, OfAThreadLoadersAreNoCompute) {
  const auto trace = StatisticsWorld(std::vector<LaneInfo>{{"python", ""}})
                         .row(0, Kind::Host,
                              {{"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 30, Category::Other},
                               {"aten::stack", 10, 20},
                               {"aten::conv2d", 30, 80},
                               {"aten::copy_", 85, 90}})
                         .built();
  const TimeOverview overview = statisticsOf(*trace, Grouping::Name).overview;
  ASSERT_EQ(overview.lanes.size(), 1U);
  EXPECT_EQ(toldParts(overview.lanes[0]), "compute 55 data 30 idle 5");
}

TEST(TimeOverview, OfATraceWithoutKnownWorkIsOther) {
  const auto trace =
      StatisticsWorld(std::vector<LaneInfo>{{"worker", ""}})
          .row(0, Kind::Host, {{"forward-compute", 0, 30, Category::Other}, {"send", 40, 50, Category::Other}})
          .built();
  EXPECT_EQ(toldParts(statisticsOf(*trace, Grouping::Name).overview.sum()), "other 40 idle 10");
}

TEST(TimeOverview, OfARangeIsOfThatRange) {
  const auto trace =
      StatisticsWorld()
          .row(0, Kind::Compute, {{"0F0", 10, 50, Category::Action, 0}, {"0B0", 70, 90, Category::Action, 0}})
          .row(0, Kind::Transfer, {{"0F0", 40, 60, Category::Transfer, 0}})
          .built();
  EXPECT_EQ(toldParts(statisticsOf(*trace, Grouping::Name, {TimeRange{40, 75}}).overview.sum()),
            "compute 15 exposed_communication 10 idle 10");
}

TEST(TimeOverview, PartsAddUpToTheWindowOfAnyTrace) {
  test::Dice dice(11);
  const std::vector<Category> categories = {Category::Kernel, Category::Communication, Category::Memcpy,
                                            Category::Data,   Category::Host,          Category::Runtime,
                                            Category::CpuOp,  Category::Other,         Category::Transfer};
  for (int trial = 0; trial < 200; ++trial) {
    StatisticsWorld world({{"", "a"}, {"", "b"}});
    for (int row = 0; row < 4; ++row) {
      std::vector<ToldSpan> spans;
      for (int i = 0; i < 30; ++i) {
        const Nanoseconds start = dice.below(500);
        spans.push_back({"span", start, start + dice.below(30), dice.oneOf(categories)});
        if (trial % 2 == 0 && dice.below(4) == 0) spans.back().category = Category::Action;
      }
      world.row(row % 2, row < 2 ? Kind::Stream : Kind::Host, spans);
    }
    const auto trace = world.built();
    CountedPart part;
    if (trial % 3 == 0) part.range = TimeRange{dice.below(300), 300 + dice.below(300)};
    const SpanStatistics statistics = statisticsOf(*trace, Grouping::Name, part);
    for (const LaneTime& lane : statistics.overview.lanes) {
      Nanoseconds sum = 0;
      for (const Nanoseconds time : lane.parts) {
        EXPECT_GE(time, 0);
        sum += time;
      }
      EXPECT_EQ(sum, lane.window) << trial;
      EXPECT_EQ(lane.window, statistics.window.length()) << trial;
    }
  }
}

}  // namespace
}  // namespace lanelab
