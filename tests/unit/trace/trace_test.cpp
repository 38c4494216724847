// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/trace.h"

#include <gtest/gtest.h>

#include <utility>

namespace lanelab {
namespace {

Span span(Category category, int step, Nanoseconds start, Nanoseconds end) {
  Span result;
  result.category = category;
  result.step = step;
  result.start = start;
  result.end = end;
  return result;
}

Trace traceOf(std::vector<std::vector<Span>> tracks) {
  Trace trace;
  trace.lanes = {{"a", "cpu:0"}, {"b", "cpu:1"}};
  for (auto& spans : tracks) trace.tracks.push_back({0, Track::Kind::Compute, "row", std::move(spans)});
  return trace;
}

TEST(Category, IsTheCatOfTheDialectBothWays) {
  const std::pair<Category, const char*> table[] = {{Category::Action, "lanelab"},
                                                    {Category::Transfer, "transfer"},
                                                    {Category::Step, "step"},
                                                    {Category::Wait, "wait"},
                                                    {Category::Block, "block"},
                                                    {Category::CpuOp, "cpu_op"},
                                                    {Category::Evaluation, "evaluation"},
                                                    {Category::Host, "host"},
                                                    {Category::Data, "data"},
                                                    {Category::Sync, "sync"},
                                                    {Category::Allocator, "allocator"},
                                                    {Category::Profiler, "profiler"},
                                                    {Category::Kernel, "kernel"},
                                                    {Category::Memcpy, "gpu_memcpy"},
                                                    {Category::Memset, "gpu_memset"},
                                                    {Category::Runtime, "cuda_runtime"},
                                                    {Category::Other, "other"}};
  for (const auto& [category, text] : table) {
    EXPECT_EQ(toString(category), text);
    EXPECT_EQ(categoryOf(text), category);
  }
  EXPECT_EQ(categoryOf("python_function"), Category::Other);
  EXPECT_EQ(categoryOf(""), Category::Other);
}

TEST(Phase, IsOneLetterBothWays) {
  const std::pair<Phase, char> table[] = {{Phase::None, '-'},           {Phase::Forward, 'F'},
                                          {Phase::Backward, 'B'},       {Phase::BackwardInput, 'I'},
                                          {Phase::BackwardWeight, 'W'}, {Phase::Update, 'U'}};
  for (const auto& [phase, letter] : table) {
    EXPECT_EQ(letterOf(phase), letter);
    EXPECT_EQ(phaseOfLetter(letter), phase);
  }
  EXPECT_EQ(phaseOfLetter('f'), Phase::None);
  EXPECT_EQ(phaseOfLetter('\0'), Phase::None);
}

TEST(Trace, LanesInUseHaveARowBesidesSteps) {
  struct Case {
    const char* what;
    std::vector<Track> tracks;
    std::vector<bool> used;
  };
  for (const Case& each : std::vector<Case>{
           {"nothing is recorded", {}, {true, true, true}},
           {"steps alone", {{0, Track::Kind::Step, "steps", {}}}, {true, true, true}},
           {"a variant on the second lane",
            {{0, Track::Kind::Step, "steps", {}}, {1, Track::Kind::Compute, "compute", {}}},
            {false, true, false}},
           {"rows of none of the lanes",
            {{-1, Track::Kind::Host, "process", {}}, {2, Track::Kind::Transfer, "t", {}}},
            {false, false, true}},
       }) {
    Trace trace;
    trace.lanes = {{"a", "cpu:0"}, {"b", "cpu:1"}, {"c", "cpu:2"}};
    trace.tracks = each.tracks;
    EXPECT_EQ(lanesInUse(trace), each.used) << each.what;
  }
}

TEST(Trace, OnlyRepeatsThatAreNotWholeMayBeCut) {
  for (const auto& [extent, may_be_cut] :
       {std::pair(Extent::Whole, false), std::pair(Extent::Unfinished, true), std::pair(Extent::WarmUp, true)}) {
    Trace trace;
    trace.extent = extent;
    EXPECT_EQ(mayBeCut(trace), may_be_cut) << static_cast<int>(extent);
  }
}

TEST(Trace, AStepWithoutItsSpanHasNotEndedIfTheRepeatHasNot) {
  Trace trace = traceOf({{span(Category::Action, 0, 0, 10), span(Category::Action, 1, 20, 30)}});
  trace.tracks.push_back({0, Track::Kind::Step, "steps", std::vector{span(Category::Step, 0, 0, 12)}});
  EXPECT_FALSE(inProgress(trace, 1)) << "files of other programs may have no steps";
  trace.extent = Extent::Unfinished;
  EXPECT_FALSE(inProgress(trace, 0));
  EXPECT_TRUE(inProgress(trace, 1));
}

TEST(Trace, RangeIsTheHullOfAllSpans) {
  const Trace trace = traceOf(
      {{span(Category::Action, 0, 50, 60)}, {span(Category::Wait, 0, -5, 10), span(Category::Wait, 0, 20, 55)}});
  EXPECT_EQ(trace.range(), (TimeRange{-5, 60}));
  EXPECT_EQ(trace.spanCount(), 3u);
  EXPECT_TRUE(Trace{}.range().empty());
  EXPECT_TRUE(traceOf({{}}).range().empty());
}

TEST(StepWindows, AreTheStepSpansByNumber) {
  const Trace trace = traceOf(
      {{span(Category::Step, 1, 100, 200), span(Category::Step, 0, 0, 90)}, {span(Category::Action, 0, 10, 80)}});
  const auto windows = stepWindows(trace);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].step, 0);
  EXPECT_EQ(windows[0].range, (TimeRange{0, 90}));
  EXPECT_EQ(windows[1].range, (TimeRange{100, 200}));
}

TEST(StepWindows, WithoutStepSpansReachFromFirstActionToLast) {
  const Trace trace = traceOf(
      {{span(Category::Action, 0, 10, 20), span(Category::Action, 1, 60, 70)},
       {span(Category::Action, 0, 15, 40), span(Category::Transfer, 0, 0, 99), span(Category::Action, 1, 50, 55)}});
  const auto windows = stepWindows(trace);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].range, (TimeRange{10, 40}));
  EXPECT_EQ(windows[1].range, (TimeRange{50, 70}));
}

TEST(StepWindows, AStepThatStillRunsHasAWindowBesideTheFinishedOnes) {
  const Trace trace = traceOf(
      {{span(Category::Step, 0, 0, 100)}, {span(Category::Action, 0, 5, 95), span(Category::Action, 1, 110, 120)}});
  const auto windows = stepWindows(trace);
  ASSERT_EQ(windows.size(), 2u);
  EXPECT_EQ(windows[0].range, (TimeRange{0, 100}));
  EXPECT_EQ(windows[1].range, (TimeRange{110, 120}));
}

TEST(StepWindows, ActionsWithoutAStepMakeNoWindow) {
  EXPECT_TRUE(stepWindows(traceOf({{span(Category::Action, -1, 0, 10)}})).empty());
}

}  // namespace
}  // namespace lanelab
