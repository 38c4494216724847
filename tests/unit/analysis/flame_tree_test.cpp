// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/flame_tree.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/statistics_world.h"

namespace lanelab {
namespace {

using testworld::StatisticsWorld;
using testworld::ToldSpan;
using Kind = Track::Kind;

/// "a/b 2x total 10 self 4 at 0; ..." in the order of the frames.
std::string toldFrames(const Trace& trace, const std::optional<FlameTree>& tree) {
  if (!tree) return "nothing";
  std::string text;
  std::vector<std::string> paths;
  for (const FlameFrame& frame : tree->frames) {
    paths.push_back((frame.parent == FlameFrame::kNone ? "" : paths[frame.parent] + "/") +
                    FlameTree::nameOf(trace, frame));
    text += (text.empty() ? "" : "; ") + paths.back() + " " + std::to_string(frame.count) + "x total " +
            std::to_string(frame.total) + " self " + std::to_string(frame.self) + " at " + std::to_string(frame.left);
  }
  return text;
}

std::string framesOf(const std::vector<ToldSpan>& row, const CountedPart& part = {}) {
  const auto trace = StatisticsWorld().row(0, Kind::Host, row).built();
  return toldFrames(*trace, flameTree(*trace, nullptr, part));
}

TEST(FlameTree, AddsUpSpansByTheirPaths) {
  struct Case {
    const char* what;
    std::vector<ToldSpan> row;
    const char* tree;
  };
  for (const Case& each : std::vector<Case>{
           {"nothing", {}, ""},
           {"one after the other", {{"a", 0, 10}, {"a", 20, 25}}, "a 2x total 15 self 15 at 0"},
           {"one within", {{"a", 0, 10}, {"b", 2, 5}}, "a 1x total 10 self 7 at 0; a/b 1x total 3 self 3 at 0"},
           {"the largest first",
            {{"a", 0, 5}, {"b", 5, 30}, {"c", 6, 8}, {"d", 8, 20}},
            "a 1x total 5 self 5 at 25; b 1x total 25 self 11 at 0; b/c 1x total 2 self 2 at 12; "
            "b/d 1x total 12 self 12 at 0"},
           {"the same within itself",
            {{"a", 0, 10}, {"a", 2, 8}},
            "a 1x total 10 self 4 at 0; a/a 1x total 6 self 6 at 0"},
           {"one that ends after what is around it",
            {{"a", 0, 10}, {"b", 5, 15}, {"c", 12, 14}},
            "a 1x total 10 self 5 at 0; a/b 1x total 5 self 5 at 0; c 1x total 2 self 2 at 10"},
           {"without length", {{"a", 0, 10}, {"b", 5, 5}}, "a 1x total 10 self 10 at 0; a/b 1x total 0 self 0 at 0"}})
    EXPECT_EQ(framesOf(each.row), each.tree) << each.what;
}

TEST(FlameTree, CountsThePartWithinARange) {
  const std::vector<ToldSpan> row = {{"a", 0, 10}, {"b", 2, 5}, {"a", 20, 30}, {"b", 21, 22}};
  EXPECT_EQ(framesOf(row, {.range = TimeRange{4, 25}}), "a 2x total 11 self 9 at 0; a/b 2x total 2 self 2 at 0");
}

TEST(FlameTree, ActionsCountByPhaseAndStageWithTheirBlocksOfAllLanes) {
  const auto trace =
      StatisticsWorld({{"", "cpu:0"}, {"", "cpu:1"}})
          .row(0, Kind::Compute,
               {{"0F0", 0, 10, Category::Action, 0, 0, Phase::Forward},
                {"0F1", 10, 20, Category::Action, 0, 0, Phase::Forward}})
          .row(0, Kind::Detail, {{"conv", 1, 4, Category::Block, 0, 0}, {"conv", 11, 15, Category::Block, 0, 0}})
          .row(1, Kind::Compute, {{"1F0", 10, 30, Category::Action, 1, 0, Phase::Forward}})
          .built();
  EXPECT_EQ(toldFrames(*trace, flameTree(*trace, nullptr)),
            "forward, stage 0 2x total 20 self 13 at 0; forward, stage 0/conv 2x total 7 self 7 at 0; "
            "forward, stage 1 1x total 20 self 20 at 20");
}

TEST(FlameTree, OfASpanHasWhatIsWithinIt) {
  const auto trace =
      StatisticsWorld()
          .row(0, Kind::Host,
               {{"a", 0, 100}, {"b", 10, 40}, {"c", 12, 20}, {"b", 50, 90}, {"c", 60, 61}, {"d", 120, 130}})
          .row(0, Kind::Stream, {{"k", 0, 100}})
          .built();
  struct Case {
    SpanMatch span;
    const char* tree;
  };
  for (const Case& each : std::vector<Case>{{{50, 0, 3}, "b 1x total 40 self 39 at 0; b/c 1x total 1 self 1 at 0"},
                                            {{12, 0, 2}, "c 1x total 8 self 8 at 0"},
                                            {{0, 1, 0}, "k 1x total 100 self 100 at 0"},
                                            {{0, 7, 0}, ""},
                                            {{0, 0, 99}, ""}})
    EXPECT_EQ(toldFrames(*trace, flameTree(*trace, nullptr, {}, each.span)), each.tree) << each.span.start;
}

TEST(FlameTree, KnowsTheFirstLongestSpanOfAFrame) {
  const auto trace =
      StatisticsWorld().row(0, Kind::Host, {{"a", 0, 5}, {"a", 10, 18}, {"a", 20, 28}, {"a", 30, 31}}).built();
  const auto tree = flameTree(*trace, nullptr);
  ASSERT_TRUE(tree && tree->frames.size() == 1);
  EXPECT_EQ(tree->frames[0].longest, 8);
  EXPECT_EQ(tree->frames[0].longest_span, (SpanMatch{10, 0, 1}));
}

TEST(FlameTree, EndsAtItsGreatestDepth) {
  std::vector<ToldSpan> row;
  for (Nanoseconds i = 0; i < 200; ++i) row.push_back({"a", i, 1000 - i});
  const auto trace = StatisticsWorld().row(0, Kind::Host, row).built();
  const auto tree = flameTree(*trace, nullptr);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->depth, kMostFrameDepth);
  EXPECT_EQ(tree->total, 1000);
  Nanoseconds self = 0;
  for (const FlameFrame& frame : tree->frames) self += frame.self;
  EXPECT_EQ(self, tree->total) << "each moment belongs to one frame";
}

TEST(FlameTree, IsNothingWithoutTheStep) {
  const auto trace = StatisticsWorld().row(0, Kind::Host, {{"a", 0, 5}}).built();
  EXPECT_FALSE(flameTree(*trace, nullptr, {.range = {}, .step = 3}));
}

TEST(FlameTree, GivesUpWhenItIsStopped) {
  std::vector<ToldSpan> row;
  for (Nanoseconds i = 0; i < 200'000; ++i) row.push_back({"a", i, i + 1});
  const auto trace = StatisticsWorld().row(0, Kind::Host, row).built();
  std::stop_source stop;
  stop.request_stop();
  const auto tree = flameTree(*trace, nullptr, {}, {}, stop.get_token());
  ASSERT_TRUE(tree && !tree->frames.empty());
  EXPECT_LT(tree->frames[0].count, row.size());
}

}  // namespace
}  // namespace lanelab
