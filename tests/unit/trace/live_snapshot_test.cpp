// SPDX-License-Identifier: GPL-3.0-only
// What a snapshot tells of actions that are still running.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "profiler/trace/trace_builder.h"
#include "tests/unit/trace/span_at.h"

namespace lanelab {
namespace {

Span actionAt(Nanoseconds start, Nanoseconds end, std::uint32_t name) {
  Span span = spanAt(start, end, name);
  span.category = Category::Action;
  span.phase = Phase::Backward;
  span.step = 7;
  span.stage = 1;
  span.micro_batch = 3;
  return span;
}

TEST(LiveSnapshot, AnActionInProgressIsASpanThatEndsNow) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  const Nanoseconds begun = monotonicNow();
  builder.append(compute, actionAt(begun - 50, begun - 10, builder.intern("1F0")));
  builder.begin(compute, actionAt(begun, 0, builder.intern("1B3")));
  const auto trace = builder.liveSnapshot();
  ASSERT_EQ(trace->tracks[0].spans.size(), 2U);
  const Span open = trace->tracks[0].spans.back();
  EXPECT_EQ(trace->nameOf(open), "1B3");
  EXPECT_EQ(open.start, begun);
  EXPECT_GT(open.end, begun);
  EXPECT_LE(open.end, monotonicNow());
  EXPECT_EQ(actionIdOf(open), (ActionId{7, 1, Phase::Backward, 3}));
  EXPECT_TRUE(trace->running(0, open));
  EXPECT_FALSE(trace->running(0, trace->tracks[0].spans[0]));
  EXPECT_GT(builder.liveSnapshot()->tracks[0].spans.back().end, open.end) << "it grows from snapshot to snapshot";
  EXPECT_EQ(builder.snapshot()->spanCount(), 1U) << "what is written to files has ended";
}

TEST(LiveSnapshot, AnActionThatHasEndedIsThereOnce) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  const Nanoseconds begun = monotonicNow();
  builder.begin(compute, actionAt(begun, 0, builder.intern("1B3")));
  builder.append(compute, actionAt(begun, begun + 5, builder.intern("1B3")));
  const auto both = builder.liveSnapshot();
  EXPECT_EQ(both->spanCount(), 1U) << "the lane has appended it, but not gone on yet";
  EXPECT_FALSE(both->running(0, both->tracks[0].spans[0]));
  builder.setLive(compute, Liveness::Current);
  EXPECT_EQ(builder.liveSnapshot()->spanCount(), 1U);
  ASSERT_EQ(builder.liveSnapshot()->live.size(), 1U);
  EXPECT_TRUE(builder.isLive());
  builder.setLive(compute, Liveness::Ended);
  EXPECT_FALSE(builder.isLive());
  EXPECT_EQ(builder.liveSnapshot(), builder.snapshot()) << "nothing is live any more";
}

TEST(LiveSnapshot, OfADeviceThatReportsLaterOnlyTheReportedTimeIsKnown) {
  TraceBuilder builder("t", {{"a", "cuda:0"}});
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  builder.append(compute, actionAt(100, 200, builder.intern("0F0")));
  builder.setLive(compute, Liveness::Later);
  const auto trace = builder.liveSnapshot();
  ASSERT_TRUE(trace->liveLane(0));
  EXPECT_EQ(trace->liveLane(0)->until, 200);
  EXPECT_FALSE(trace->liveLane(0)->running);
}

TEST(LiveSnapshot, AReaderNeverSeesHalfOfAnAction) {
  LiveState state;
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 1; i <= 100'000; ++i) {
      Span action = actionAt(i, 0, static_cast<std::uint32_t>(i));
      action.step = i;
      action.stage = static_cast<std::int16_t>(i % 1000);
      state.begin(action);
    }
    done = true;
  });
  int torn = 0;
  while (!done) {
    const LiveState::Value value = state.read();
    if (!value.running) continue;
    const Span& action = value.action;
    torn += action.start != action.step || action.name != static_cast<std::uint32_t>(action.step) ||
            action.stage != action.step % 1000;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(state.read().action.micro_batch, 3);
  EXPECT_EQ(state.read().action.phase, Phase::Backward);
}

}  // namespace
}  // namespace lanelab
