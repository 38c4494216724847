// SPDX-License-Identifier: GPL-3.0-only
// A trace that is polled while it grows: what is worked out of it from the last time must be what it would be from
// nothing.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "profiler/trace/trace_builder.h"
#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {
namespace {

using testworld::kMs;

std::vector<std::uint32_t> placesOf(const SpanIndices& indices) {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < indices.size(); ++i) places.push_back(indices[i]);
  return places;
}

struct GroupFacts {
  Nanoseconds start;
  float length, busy, longest;
  bool operator==(const GroupFacts&) const = default;
};

/// Every group of every level.
std::vector<GroupFacts> groupsOf(const BusyPyramid& pyramid) {
  std::vector<GroupFacts> facts;
  pyramid.visit(
      {std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()},
      [&](const BusyGroup& group) {
        facts.push_back({group.start, group.length, group.busy, group.longest});
        return false;
      },
      [](const BusyGroup&) {}, [](std::size_t) {});
  return facts;
}

void expectSame(const TimelineData& grown, const TimelineData& fresh) {
  EXPECT_EQ(grown.range(), fresh.range());
  EXPECT_EQ(grown.namesStages(), fresh.namesStages());
  ASSERT_EQ(grown.steps().size(), fresh.steps().size());
  const std::vector<StepWindow> windows = stepWindows(fresh.trace());
  ASSERT_EQ(grown.steps().size(), windows.size());
  for (std::size_t i = 0; i < fresh.steps().size(); ++i) {
    EXPECT_EQ(grown.steps()[i].step, windows[i].step);
    EXPECT_EQ(grown.steps()[i].range, windows[i].range);
  }
  for (int lane = 0; lane < static_cast<int>(fresh.trace().lanes.size()); ++lane)
    EXPECT_EQ(grown.busyShare(lane), fresh.busyShare(lane)) << lane;
  ASSERT_EQ(grown.rows().size(), fresh.rows().size());
  for (std::size_t row = 0; row < fresh.rows().size(); ++row) {
    EXPECT_EQ(grown.rows()[row].lane, fresh.rows()[row].lane);
    EXPECT_EQ(grown.rows()[row].depth, fresh.rows()[row].depth);
    EXPECT_EQ(placesOf(grown.rows()[row].spans), placesOf(fresh.rows()[row].spans)) << "row " << row;
    EXPECT_EQ(groupsOf(grown.rows()[row].busy), groupsOf(fresh.rows()[row].busy)) << "row " << row;
  }
}

/// Actions with nested operators, whose outer ones are appended after their inner ones, as recorders do.
class Recording {
 public:
  Recording() : m_builder("grows", {{"a", "cpu:0"}, {"b", "cpu:1"}}) {
    for (int lane = 0; lane < 2; ++lane) {
      m_actions.push_back(m_builder.addTrack(lane, Track::Kind::Compute, "compute"));
      m_details.push_back(m_builder.addTrack(lane, Track::Kind::Detail, "operators"));
    }
    m_name = m_builder.intern("op");
  }

  void record(int actions) {
    for (int i = 0; i < actions; ++i) {
      const std::size_t lane = m_random() % 2;
      const Nanoseconds start = m_now += static_cast<Nanoseconds>(m_random() % 200), end = start + 100;
      const int step = static_cast<int>(start / 20'000);
      for (int inner = 0; inner < 3; ++inner)
        append(m_details[lane], Category::CpuOp, start + 20 * inner + 10, start + 20 * inner + 25, step);
      append(m_details[lane], Category::CpuOp, start, end, step);
      append(m_actions[lane], m_random() % 500 == 0 ? Category::Wait : Category::Action, start, end, step);
      m_now = std::max(m_now, end - 30);
    }
  }

  /// On one lane an action begins, the other one waits.
  void begin(std::size_t lane) {
    Span span;
    span.name = m_name;
    span.category = Category::Action;
    span.phase = Phase::Backward;
    span.start = m_now + 1000;
    span.step = static_cast<int>(span.start / 20'000);
    m_builder.begin(m_actions[lane], span);
    m_builder.setLive(m_actions[1 - lane], Liveness::Current);
  }

  std::shared_ptr<const Trace> snapshot() const { return m_builder.snapshot(); }
  std::shared_ptr<const Trace> liveSnapshot() const { return m_builder.liveSnapshot(); }

 private:
  void append(TrackIndex track, Category category, Nanoseconds start, Nanoseconds end, int step) {
    Span span;
    span.name = m_name;
    span.category = category;
    span.phase = category == Category::Action ? Phase::Forward : Phase::None;
    span.start = start;
    span.end = end;
    span.step = step;
    span.stage = static_cast<std::int16_t>(start > 400'000 && track.value == 0 ? 1 : 0);
    m_builder.append(track, span);
  }

  TraceBuilder m_builder;
  std::vector<TrackIndex> m_actions, m_details;
  std::uint32_t m_name = 0;
  Nanoseconds m_now = 0;
  std::minstd_rand m_random{7};
};

TEST(GrowingTrace, IsKnownAsIfItHadBeenReadAnew) {
  Recording recording;
  recording.record(3);
  auto data = std::make_shared<const TimelineData>(recording.snapshot());
  for (const int more : {1, 5, 700, 1, 0, 3000, 400, 1, 2500}) {
    recording.record(more);
    const auto trace = recording.snapshot();
    data = std::make_shared<const TimelineData>(trace, nullptr, data.get());
    SCOPED_TRACE(trace->spanCount());
    expectSame(*data, TimelineData(trace));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(GrowingTrace, ActionsInProgressAreKnownAsIfItHadBeenReadAnew) {
  Recording recording;
  recording.record(3);
  recording.begin(0);
  auto data = std::make_shared<const TimelineData>(recording.liveSnapshot());
  for (const int more : {1, 0, 700, 0, 0, 3000, 1, 0, 2500}) {
    recording.record(more);
    if (more > 0) recording.begin(static_cast<std::size_t>(more % 2));
    const auto trace = recording.liveSnapshot();
    ASSERT_EQ(trace->live.size(), 2U);
    data = std::make_shared<const TimelineData>(trace, nullptr, data.get());
    SCOPED_TRACE(trace->spanCount());
    const TimelineData fresh(trace);
    expectSame(*data, fresh);
    for (const int lane : {0, 1}) EXPECT_EQ(data->causesOf(lane), fresh.causesOf(lane));
    if (::testing::Test::HasFailure()) return;
  }
  const auto ended = recording.snapshot();
  expectSame(TimelineData(ended, nullptr, data.get()), TimelineData(ended));
}

TEST(GrowingTrace, AnotherTraceIsReadAnew) {
  const auto before = testworld::pipelineTrace({.steps = 9});
  const TimelineData long_one(before);
  const auto after = testworld::pipelineTrace({.steps = 2});
  expectSame(TimelineData(after, nullptr, &long_one), TimelineData(after));
}

TEST(SharedList, CopiesKeepWhatTheyHad) {
  SharedList<int, 4> list;
  std::vector<int> expected;
  std::vector<std::pair<SharedList<int, 4>, std::vector<int>>> copies;
  const auto check = [](const SharedList<int, 4>& one, const std::vector<int>& values) {
    ASSERT_EQ(one.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(one[i], values[i]);
  };
  for (int i = 0; i < 40; ++i) {
    list.push_back(i);
    expected.push_back(i);
    if (i % 7 == 6) {
      const std::size_t kept = expected.size() - static_cast<std::size_t>(i % 6);
      list.truncate(kept);
      expected.resize(kept);
    }
    copies.emplace_back(list, expected);
  }
  for (const auto& [copy, values] : copies) check(copy, values);
  list.truncate(0);
  EXPECT_TRUE(list.empty());
}

TEST(SpanIndices, HoldTheFirstOnesAndAnyOthers) {
  SpanIndices indices;
  for (const std::uint32_t span : {0U, 1U, 2U}) indices.push_back(span);
  SpanIndices gap = indices;
  gap.push_back(5);
  EXPECT_EQ(placesOf(gap), (std::vector<std::uint32_t>{0, 1, 2, 5}));
  gap.dropFrom(2);
  EXPECT_EQ(placesOf(gap), (std::vector<std::uint32_t>{0, 1}));
  gap.push_back(4);
  EXPECT_EQ(placesOf(gap), (std::vector<std::uint32_t>{0, 1, 4}));
  gap.dropFrom(0);
  EXPECT_TRUE(gap.empty());
  gap.push_back(0);
  EXPECT_EQ(placesOf(gap), (std::vector<std::uint32_t>{0}));
  indices.dropFrom(1);
  EXPECT_EQ(placesOf(indices), (std::vector<std::uint32_t>{0}));
}

/// Lane 0 waits since 10 ms, lane 1 computes since 12 ms; it is `now`.
std::shared_ptr<const Trace> liveTrace(Nanoseconds now) {
  auto trace = std::make_shared<Trace>();
  trace->title = "Pipeline";
  trace->lanes = {{"cpu:0", "cpu:0"}, {"cpu:1", "cpu:1"}};
  trace->names = {"0F0", "1F0"};
  Span first;
  first.end = 10 * kMs;
  first.category = Category::Action;
  first.phase = Phase::Forward;
  first.step = first.stage = first.micro_batch = 0;
  Span second = first;
  second.start = 12 * kMs;
  second.end = now;
  second.name = 1;
  second.stage = 1;
  trace->tracks = {{0, Track::Kind::Compute, "compute", {first}}, {1, Track::Kind::Compute, "compute", {second}}};
  trace->live = {{0, now, std::nullopt}, {1, now, second.start}};
  return trace;
}

TEST(LiveData, AnActionInProgressIsBusyUntilNowAndGrows) {
  const TimelineData before(liveTrace(20 * kMs));
  const TimelineData data(liveTrace(40 * kMs), nullptr, &before);
  EXPECT_EQ(data.range(), (TimeRange{0, 40 * kMs}));
  EXPECT_DOUBLE_EQ(data.busyShare(1).value_or(0), 0.7);
  EXPECT_DOUBLE_EQ(data.busyShare(0).value_or(0), 0.25) << "a lane that waits is idle, whatever the cause";
  EXPECT_TRUE(data.isRunning({1, 0}));
  EXPECT_FALSE(data.isRunning({0, 0}));
}

TEST(LiveData, NoIdleCauseLiesBehindAnActionInProgress) {
  const TimelineData data(liveTrace(40 * kMs));
  for (const CausePiece& piece : data.causesOf(1)) EXPECT_LE(piece.range.end, 12 * kMs);
  EXPECT_FALSE(data.causesOf(1).empty()) << "what came before it is known";
  EXPECT_TRUE(data.causesOf(0).empty()) << "why a lane waits is known only when it goes on";
}

TEST(LiveData, TheSameActionEndedTakesItsPlace) {
  const TimelineData live(liveTrace(40 * kMs));
  auto ended = std::make_shared<Trace>(*liveTrace(35 * kMs));
  ended->live.clear();
  const TimelineData data(ended, nullptr, &live);
  EXPECT_EQ(data.range(), (TimeRange{0, 35 * kMs})) << "a snapshot may be a little later than the recorded end";
  EXPECT_FALSE(data.isRunning({1, 0}));
}

}  // namespace
}  // namespace lanelab
