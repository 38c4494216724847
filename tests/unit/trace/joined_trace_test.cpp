// SPDX-License-Identifier: GPL-3.0-only
// One trace of what several processes recorded.
#include "profiler/trace/joined_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

/// What a process records: lanes 0 and 1 are known to all, the rows are those of its own.
struct Part {
  TraceBuilder builder{"run", {{"a", "cpu:0"}, {"rank 1, a", "cpu:1"}}};

  Part& add(int lane, Track::Kind kind, const std::string& row, std::vector<Span> spans, const std::string& name) {
    const TrackIndex track = builder.addTrack(lane, kind, row);
    for (Span& span : spans) {
      span.name = builder.intern(name);
      builder.append(track, span);
    }
    return *this;
  }
  TracePart part(const ClockAlignment& clock = {}) const { return {builder.snapshot(), clock}; }
};

Span span(Nanoseconds start, Nanoseconds end, Category category, int step = 0, Phase phase = Phase::None) {
  Span one;
  one.start = start;
  one.end = end;
  one.category = category;
  one.step = step;
  one.phase = phase;
  one.stage = phase == Phase::None ? -1 : 0;
  one.micro_batch = phase == Phase::None ? -1 : 3;
  return one;
}

const ClockAlignment kLaterBy1000{{0, -1000, 5}, {9000, -1000, 5}};

const Track* rowOf(const Trace& trace, int lane, const std::string& name) {
  const auto found = std::find_if(trace.tracks.begin(), trace.tracks.end(),
                                  [&](const Track& t) { return t.lane == lane && t.name == name; });
  return found == trace.tracks.end() ? nullptr : &*found;
}

TEST(JoinedTrace, OfOnePartIsThatPart) {
  Part alone;
  alone.add(0, Track::Kind::Compute, "compute", {span(10, 20, Category::Action)}, "0F0")
      .add(0, Track::Kind::Step, "steps", {span(5, 25, Category::Step)}, "step 0");
  alone.builder.appendValue(alone.builder.addCounter(-1, "loss", "loss"), 25, 0.5);
  const std::vector<TracePart> parts{alone.part()};
  const auto joined = joinTraces(parts);
  EXPECT_EQ(joined->title, "run");
  EXPECT_EQ(joined->epoch, parts[0].trace->epoch);
  ASSERT_EQ(joined->tracks.size(), 2u);
  EXPECT_EQ(joined->tracks[0].spans, parts[0].trace->tracks[0].spans);
  EXPECT_EQ(joined->tracks[1].spans, parts[0].trace->tracks[1].spans);
  EXPECT_EQ(joined->counters[0].values, std::vector<double>{0.5});
}

TEST(JoinedTrace, HasTheRowsOfAllOnOneClock) {
  Part first, second;
  first.add(0, Track::Kind::Compute, "compute", {span(10, 20, Category::Action)}, "0F0");
  Span marked = span(1030, 1050, Category::Action);
  marked.mark = 1028;
  marked.cpu = 17;
  second.builder.intern("a name that only it knows");
  second.add(1, Track::Kind::Compute, "compute", {marked}, "0F0")
      .add(1, Track::Kind::Detail, "blocks", {span(1032, 1040, Category::Block)}, "stem");
  const auto joined = joinTraces(std::vector<TracePart>{first.part(), second.part(kLaterBy1000)});
  const Track* const there = rowOf(*joined, 1, "compute");
  ASSERT_TRUE(rowOf(*joined, 0, "compute") && there && rowOf(*joined, 1, "blocks"));
  const Span moved = there->spans[0];
  EXPECT_EQ(moved.range(), (TimeRange{30, 50}));
  EXPECT_EQ(moved.mark, 28);
  EXPECT_EQ(moved.cpu, 17) << "a length, not a time";
  EXPECT_EQ(joined->nameOf(moved), "0F0");
  EXPECT_EQ(joined->nameOf(rowOf(*joined, 1, "blocks")->spans[0]), "stem");
  EXPECT_EQ(std::count(joined->names.begin(), joined->names.end(), "0F0"), 1);
}

TEST(JoinedTrace, HasStepsFromTheFirstBeginToTheLastEnd) {
  Part first, second, third;
  first.add(0, Track::Kind::Step, "steps", {span(10, 20, Category::Step, 0), span(30, 44, Category::Step, 1)}, "step");
  second.add(0, Track::Kind::Step, "steps", {span(1012, 1026, Category::Step, 0), span(1029, 1040, Category::Step, 1)},
             "step");
  third.add(0, Track::Kind::Step, "steps", {span(50, 60, Category::Step, 2)}, "step");
  const auto joined = joinTraces(std::vector<TracePart>{first.part(), second.part(kLaterBy1000), third.part()});
  const std::vector<StepWindow> windows = stepWindows(*joined);
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[0].range, (TimeRange{10, 26}));
  EXPECT_EQ(windows[1].range, (TimeRange{29, 44}));
  EXPECT_EQ(windows[2].range, (TimeRange{50, 60}));
  EXPECT_EQ(std::count_if(joined->tracks.begin(), joined->tracks.end(),
                          [](const Track& t) { return t.kind == Track::Kind::Step; }),
            1);
}

TEST(JoinedTrace, StepsOverlapOnlyWhereThoseOfAProcessDo) {
  struct Joined {
    Nanoseconds first_start, second_start;  ///< of step 1
    TimeRange step_1;
  };
  for (const Joined& row : {Joined{22, 30, {26, 44}},  // the clocks are off by a little
                            Joined{18, 30, {18, 44}}}) {
    Part first, second;
    first.add(0, Track::Kind::Step, "steps",
              {span(10, 20, Category::Step, 0), span(row.first_start, 40, Category::Step, 1)}, "step");
    second.add(0, Track::Kind::Step, "steps",
               {span(12, 26, Category::Step, 0), span(row.second_start, 44, Category::Step, 1)}, "step");
    const auto joined = joinTraces(std::vector<TracePart>{first.part(), second.part()});
    EXPECT_EQ(stepWindows(*joined)[1].range, row.step_1);
  }
}

struct Crossing {
  const char* what;
  std::vector<Span> sent, arrived;  ///< as sender and taker recorded them, each on its clock
  TimeRange whole;
};

class Crossings : public ::testing::TestWithParam<Crossing> {};
constexpr auto kForward = Phase::Forward;
INSTANTIATE_TEST_SUITE_P(
    Of, Crossings,
    ::testing::Values(Crossing{"BothEnds",
                               {span(25, 30, Category::Transfer, 0, kForward)},
                               {span(1040, 1042, Category::Transfer, 0, kForward)},
                               {25, 42}},
                      Crossing{"OnlyTheSender", {span(25, 30, Category::Transfer, 0, kForward)}, {}, {25, 25}},
                      Crossing{"OnlyTheTaker", {}, {span(1040, 1042, Category::Transfer, 0, kForward)}, {20, 42}},
                      Crossing{"ClocksThatDisagree",
                               {span(25, 30, Category::Transfer, 0, kForward)},
                               {span(1022, 1023, Category::Transfer, 0, kForward)},
                               {25, 25}},
                      Crossing{"AnotherPhase",
                               {span(25, 30, Category::Transfer, 0, Phase::Backward)},
                               {span(1040, 1042, Category::Transfer, 0, Phase::Backward)},
                               {20, 21}},
                      Crossing{"AnotherStep",
                               {span(25, 30, Category::Transfer, 1, kForward)},
                               {span(1040, 1042, Category::Transfer, 1, kForward)},
                               {20, 21}}),
    [](const auto& test) { return test.param.what; });

TEST_P(Crossings, BecomeOneTransferOfTheSender) {
  Part first, second;
  Span handed = span(20, 21, Category::Transfer, 0, kForward);
  handed.mark = 20;
  first.add(0, Track::Kind::Transfer, "transfer", {handed}, "send 0F3")
      .add(0, Track::Kind::Transfer, std::string(kSentAway), GetParam().sent, "send 0F3");
  second.add(1, Track::Kind::Transfer, std::string(kComeHere), GetParam().arrived, "take 0F3");
  const auto joined = joinTraces(std::vector<TracePart>{first.part(), second.part(kLaterBy1000)});
  EXPECT_FALSE(rowOf(*joined, 0, std::string(kSentAway)));
  EXPECT_FALSE(rowOf(*joined, 1, std::string(kComeHere)));
  const Track* const transfers = rowOf(*joined, 0, "transfer");
  ASSERT_TRUE(transfers);
  ASSERT_EQ(transfers->spans.size(), 1u);
  EXPECT_EQ(transfers->spans[0].range(), GetParam().whole);
  EXPECT_EQ(transfers->spans[0].mark, 20);
}

TEST(JoinedTrace, TellsDevicesOfOtherMachinesApart) {
  Part first, second;
  first.add(0, Track::Kind::Step, "steps", {span(10, 20, Category::Step)}, "step 0")
      .add(0, Track::Kind::Compute, "compute", {}, "");
  second.add(0, Track::Kind::Step, "steps", {span(10, 20, Category::Step)}, "step 0")
      .add(1, Track::Kind::Compute, "compute", {}, "");
  const auto deviceThere = [&](const std::string& machine) {
    TracePart here = first.part(), there = second.part();
    here.machine = "node1";
    there.machine = machine;
    const auto joined = joinTraces(std::vector<TracePart>{here, there});
    EXPECT_EQ(joined->lanes[0].device, "cpu:0");
    return joined->lanes[1].device;
  };
  EXPECT_EQ(deviceThere("node1"), "cpu:1");
  EXPECT_EQ(deviceThere("node2"), "cpu:1 of node2");
}

TEST(JoinedTrace, CountsWhatWasLostAnywhere) {
  Part first, second;
  first.builder.noteDropped(3);
  second.builder.noteDropped(4);
  EXPECT_EQ(joinTraces(std::vector<TracePart>{first.part(), second.part()})->dropped, 7);
}

TEST(JoinedTrace, TakesTheLossOnceAndTheMemoryOfEachLane) {
  Part first, second;
  first.builder.appendValue(first.builder.addCounter(0, "memory", "bytes"), 10, 100);
  second.builder.appendValue(second.builder.addCounter(1, "memory", "bytes"), 1010, 200);
  first.builder.addCounter(-1, "loss", "loss");  // a process without lanes in the variant tells none
  second.builder.appendValue(second.builder.addCounter(-1, "loss", "loss"), 1020, 0.5);
  Part third;
  third.builder.appendValue(third.builder.addCounter(-1, "loss", "loss"), 21, 0.5);
  const auto joined = joinTraces(std::vector<TracePart>{first.part(), second.part(kLaterBy1000), third.part()});
  ASSERT_EQ(joined->counters.size(), 3u);
  for (const Counter& counter : joined->counters) {
    ASSERT_EQ(counter.times.size(), 1u) << counter.name;
    EXPECT_EQ(counter.times[0], counter.lane < 0 ? 20 : 10) << counter.name;
  }
}

TEST(JoinedTrace, KeepsLabelsApart) {
  const auto labelled = [](std::string label, std::uint32_t lane) {
    auto trace = std::make_shared<Trace>();
    trace->lanes = {{"a", ""}, {"b", ""}};
    trace->names = {"n"};
    trace->labels = {std::move(label)};
    Span one = span(1, 2, Category::Other);
    one.label = 1;
    trace->tracks.push_back({static_cast<int>(lane), Track::Kind::Host, "host", {one}});
    return TracePart{trace, {}};
  };
  const auto joined = joinTraces(std::vector<TracePart>{labelled("red", 0), labelled("blue", 1)});
  EXPECT_EQ(joined->categoryNameOf(joined->tracks[0].spans[0]), "red");
  EXPECT_EQ(joined->categoryNameOf(joined->tracks[1].spans[0]), "blue");
}

}  // namespace
}  // namespace lanelab
