// SPDX-License-Identifier: GPL-3.0-only
// Idle time of a step in progress: what runs keeps its lane busy, and what comes later is not explained yet.
#include <gtest/gtest.h>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {
namespace {

Span action(Nanoseconds start, Nanoseconds end, Phase phase, int stage) {
  Span span;
  span.start = span.mark = start;
  span.end = end;
  span.category = Category::Action;
  span.phase = phase;
  span.step = 0;
  span.stage = static_cast<std::int16_t>(stage);
  span.micro_batch = 0;
  return span;
}

/// Lane 0 has forwarded and waits; lane 1 computes from 150 until now, which is 400.
Trace inTheMiddle() {
  Trace trace;
  trace.lanes = {{"cpu:0", "cpu:0"}, {"cpu:1", "cpu:1"}};
  trace.names = {"action"};
  trace.tracks = {{0, Track::Kind::Compute, "compute", {action(0, 100, Phase::Forward, 0)}},
                  {1, Track::Kind::Compute, "compute", {action(150, 400, Phase::Forward, 1)}}};
  trace.live = {{0, 400, std::nullopt}, {1, 400, 150}};
  return trace;
}

TEST(LiveCauses, AnActionInProgressIsBusyTimeUntilNow) {
  const LaneCauses lane = explainIdle(inTheMiddle()).lanes[1];
  EXPECT_EQ(lane.busy, 250);
  EXPECT_EQ(lane.idle, 150);
  ASSERT_EQ(lane.gaps.size(), 1U);
  EXPECT_EQ(lane.gaps[0].range, (TimeRange{0, 150}));
}

TEST(LiveCauses, NothingAfterALanesLastActionHasACauseWhileTheRunGoesOn) {
  Trace trace = inTheMiddle();
  const LaneCauses waiting = explainIdle(trace).lanes[0];
  EXPECT_TRUE(waiting.pieces.empty());
  EXPECT_EQ(waiting.idle, 0);
  EXPECT_EQ(waiting.window, 100);
  trace.live.clear();
  EXPECT_EQ(explainIdle(trace).lanes[0].idle, 300) << "once the run has ended there is a cause";
}

TEST(LiveCauses, NorOfARepeatThatDidNotEnd) {
  for (const Extent extent : {Extent::Unfinished, Extent::WarmUp}) {
    Trace trace = inTheMiddle();
    trace.live.clear();
    trace.extent = extent;
    EXPECT_EQ(explainIdle(trace).lanes[0].idle, 0);
    EXPECT_EQ(explainIdle(trace).lanes[1].idle, 150) << "what it waited for is known";
  }
}

TEST(LiveCauses, EvaluationOfAnyLaneIsACauseOfItsOwn) {
  Trace trace = inTheMiddle();
  trace.live.clear();
  Span evaluation;
  evaluation.category = Category::Evaluation;
  evaluation.start = 20;
  evaluation.end = 60;
  trace.tracks.push_back({0, Track::Kind::Host, "host", {evaluation}});
  trace.tracks[0].spans = std::vector{action(0, 20, Phase::Forward, 0), action(60, 100, Phase::Forward, 0)};
  const IdleCauses causes = explainIdle(trace);
  EXPECT_EQ(causes.lanes[0].causes[Cause::Evaluation], 40);
  EXPECT_EQ(causes.lanes[0].causes.total(), causes.lanes[0].idle);
}

TEST(LiveCauses, AStepThatHasEndedIsExplainedToItsEnd) {
  Trace trace = inTheMiddle();
  Span step;
  step.category = Category::Step;
  step.step = 0;
  step.end = 400;
  trace.tracks.push_back({0, Track::Kind::Step, "steps", {step}});
  trace.live[1].running.reset();
  EXPECT_EQ(explainIdle(trace).lanes[0].idle, 300);
}

}  // namespace
}  // namespace lanelab
