// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/causes_within.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

/// Of a step of 100 ns, lane 0 computes in [0, 20) and [50, 100), lane 1 in [20, 50).
std::shared_ptr<const Trace> alternatingTrace() {
  TraceBuilder builder("alternating", {{"", "cpu:0"}, {"", "cpu:1"}});
  const auto add = [&](TrackIndex track, Category category, Phase phase, TimeRange range, int stage) {
    Span span;
    span.name = builder.intern(std::to_string(stage) + letterOf(phase) + "0");
    span.category = category;
    span.phase = phase;
    span.start = range.start;
    span.end = range.end;
    span.step = 0;
    span.stage = static_cast<std::int16_t>(stage);
    span.micro_batch = 0;
    builder.append(track, span);
  };
  const TrackIndex first = builder.addTrack(0, Track::Kind::Compute, "compute");
  const TrackIndex second = builder.addTrack(1, Track::Kind::Compute, "compute");
  add(builder.addTrack(0, Track::Kind::Step, "steps"), Category::Step, Phase::None, {0, 100}, -1);
  add(first, Category::Action, Phase::Forward, {0, 20}, 0);
  add(second, Category::Action, Phase::Forward, {20, 50}, 1);
  add(first, Category::Action, Phase::Backward, {50, 100}, 0);
  return builder.snapshot();
}

TEST(CausesWithin, CutsWindowsGapsAndCausesAtTheEndsOfTheRange) {
  const IdleCauses part = causesWithin(explainIdle(*alternatingTrace()), {10, 40});
  ASSERT_EQ(part.lanes.size(), 2U);
  const LaneCauses& first = part.lanes[0];
  EXPECT_EQ(first.window, 30);
  EXPECT_EQ(first.busy, 10);
  EXPECT_EQ(first.idle, 20);
  ASSERT_EQ(first.gaps.size(), 1U);
  EXPECT_EQ(first.gaps.front().range, (TimeRange{20, 40}));
  EXPECT_EQ(part.lanes[1].idle, 10);
  EXPECT_EQ(part.lanes[1].busy, 20);
  for (const LaneCauses& lane : part.lanes) {
    EXPECT_EQ(lane.causes.total(), lane.idle) << "each nanosecond still has one cause";
    for (const ExplainedGap& gap : lane.gaps) EXPECT_EQ(lane.causesOf(gap).total(), gap.range.length());
  }
}

TEST(CausesWithin, TheWholeRangeIsTheWholeTrace) {
  const IdleCauses whole = explainIdle(*alternatingTrace());
  const IdleCauses part = causesWithin(whole, {-5, 500});
  for (std::size_t i = 0; i < whole.lanes.size(); ++i) {
    EXPECT_EQ(part.lanes[i].window, whole.lanes[i].window);
    EXPECT_EQ(part.lanes[i].busy, whole.lanes[i].busy);
    EXPECT_EQ(part.lanes[i].causes, whole.lanes[i].causes);
    EXPECT_EQ(part.lanes[i].gaps.size(), whole.lanes[i].gaps.size());
  }
}

TEST(CausesWithin, ALaneThatIsIdleInAllOfTheRangeStillHasWork) {
  const IdleCauses part = causesWithin(explainIdle(*alternatingTrace()), {25, 45});
  EXPECT_EQ(part.lanes[0].busy, 0);
  EXPECT_TRUE(part.lanes[0].hasWork());
  EXPECT_EQ(causesWithin(explainIdle(*alternatingTrace()), {200, 300}).lanes[0].window, 0) << "behind the last step";
}

}  // namespace
}  // namespace lanelab
