// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/core_time.h"

#include <gtest/gtest.h>

namespace lanelab {
namespace {

Span work(Category category, Nanoseconds length, Nanoseconds cpu) {
  Span span;
  span.category = category;
  span.end = length;
  span.cpu = cpu;
  return span;
}

/// A lane for each list of spans.
Trace lanesOf(const std::vector<std::vector<Span>>& lanes) {
  Trace trace;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    trace.lanes.push_back({"cpu:" + std::to_string(i), ""});
    trace.tracks.push_back({static_cast<int>(i), Track::Kind::Compute, "compute", lanes[i]});
  }
  return trace;
}

TEST(CoreShares, AreOfActionsThatTellBoth) {
  const Trace trace = lanesOf({{work(Category::Action, 100, 20), work(Category::Action, 300, 180)},
                               {work(Category::Action, 400, 401)},
                               {work(Category::Action, 400, -1), work(Category::Block, 100, 10)},
                               {work(Category::Action, 3, 1)}});
  const std::vector<double> shares = coreShares(trace);
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_DOUBLE_EQ(shares[0], 0.5);
  EXPECT_DOUBLE_EQ(shares[1], 1) << "two clocks may differ a little";
  EXPECT_EQ(shares[2], 0) << "not known";
  EXPECT_EQ(shares[3], 0) << "less than a hundredth of what the busiest lane computes";
}

TEST(LeastCoreShare, PassesOverWhatIsNotKnown) {
  EXPECT_FALSE(leastCoreShare({}));
  EXPECT_FALSE(leastCoreShare({0, 0}));
  const auto least = leastCoreShare({0.9, 0, 0.3, 0.3});
  ASSERT_TRUE(least);
  EXPECT_EQ(least->lane, 2U);
  EXPECT_EQ(least->share, 0.3);
}

TEST(OtherPrograms, AreTheMeanOfTheirCounterInARange) {
  Trace trace;
  trace.counters.push_back({.lane = -1, .name = "loss", .series = "loss", .times = {0}, .values = {7}});
  EXPECT_FALSE(otherProgramsWithin(trace, {0, 100})) << "of a trace without it";
  trace.counters.push_back({.lane = -1,
                            .name = std::string(kOtherProgramsCounter),
                            .series = "%",
                            .times = {100, 200, 300},
                            .values = {0, 50, 100}});
  struct Case {
    TimeRange range;
    std::optional<double> mean;
  };
  for (const Case& each : std::vector<Case>{{{0, 100}, std::nullopt},
                                            {{100, 200}, 0},
                                            {{200, 250}, 50},
                                            {{150, 250}, 25},
                                            {{100, 400}, 50},
                                            {{0, 200}, 0},
                                            {{250, 350}, 75},
                                            {{900, 950}, 100},
                                            {{220, 220}, std::nullopt}})
    EXPECT_EQ(otherProgramsWithin(trace, each.range), each.mean) << each.range.start << " " << each.range.end;
}

TEST(TakenCoresText, NamesEachLaneBelowTheLimit) {
  const std::vector<std::string> names = {"cpu:0", "cpu:1", "big"};
  struct Case {
    std::vector<double> shares;
    const char* text;
  };
  for (const Case& each : std::vector<Case>{
           {{1, 0.8, 0}, ""},
           {{1, 0.799, 0}, "cpu:1 had a core for only 79.9 % of its compute time"},
           {{0.12, 0.173, 1}, "cpu:0 and cpu:1 had a core for only 12.0 % and 17.3 % of their compute time"},
           {{0.1, 0.2, 0.3},
            "cpu:0, cpu:1 and big had a core for only 10.0 %, 20.0 % and 30.0 % of their compute time"},
           {{}, ""}})
    EXPECT_EQ(takenCoresText(names, each.shares).message, each.text);
}

}  // namespace
}  // namespace lanelab
