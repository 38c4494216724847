// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/derived_counters.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {
namespace {

/// A trace told span by span: world.add(lane, Kind, Category, start, end, step).
struct World {
  Trace trace;

  explicit World(int lanes) {
    trace.names = {"x"};
    for (int i = 0; i < lanes; ++i) trace.lanes.push_back({"", "cpu:" + std::to_string(i)});
  }
  World& add(int lane, Track::Kind kind, Category category, Nanoseconds start, Nanoseconds end, int step = 0) {
    Span span;
    span.start = start;
    span.end = end;
    span.category = category;
    span.phase = category == Category::Action ? Phase::Forward : Phase::None;
    span.step = step;
    Track track;
    track.lane = lane;
    track.kind = kind;
    track.spans.push_back(span);
    trace.tracks.push_back(std::move(track));
    return *this;
  }
  World& action(int lane, Nanoseconds start, Nanoseconds end, int step = 0) {
    return add(lane, Track::Kind::Compute, Category::Action, start, end, step);
  }
};

/// "0:50 10:100 20:0": times and values.
std::string told(const Counter& counter) {
  std::ostringstream text;
  for (std::size_t i = 0; i < counter.times.size(); ++i)
    text << (i > 0 ? " " : "") << counter.times[i] << ":" << counter.values[i];
  return text.str();
}

TEST(Utilisation, IsTheCoveredShareOfEachWindow) {
  const World world = World(1).action(0, 0, 15).action(0, 25, 40);
  const auto counters = utilisationCounters(world.trace, 10);
  ASSERT_EQ(counters.size(), 1u);
  EXPECT_EQ(counters[0].name, "utilisation");
  EXPECT_EQ(counters[0].series, "%");
  EXPECT_EQ(counters[0].lane, 0);
  EXPECT_EQ(told(counters[0]), "0:100 10:50 30:100 40:0") << "equal neighbours are one value";
}

TEST(Utilisation, TheLastWindowIsCutAtTheEndOfTheTrace) {
  const World world = World(1).action(0, 0, 10).action(0, 12, 14);
  EXPECT_EQ(told(utilisationCounters(world.trace, 10)[0]), "0:100 10:50 14:0");
}

TEST(Utilisation, OverlappingSpansAreBusyOnce) {
  const World world = World(1).action(0, 0, 10).action(0, 5, 10).action(0, 10, 20);
  EXPECT_EQ(told(utilisationCounters(world.trace, 20)[0]), "0:100 20:0");
}

TEST(Utilisation, ALaneThatComputesNothingHasNone) {
  const World world =
      World(3).action(0, 0, 10).action(2, 0, 5).add(1, Track::Kind::Transfer, Category::Transfer, 0, 10);
  const auto counters = utilisationCounters(world.trace, 10);
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0].lane, 0);
  EXPECT_EQ(counters[1].lane, 2);
}

TEST(Utilisation, CountsKernelsWithoutActionsAndOperatorsWithoutKernels) {
  World world(1);
  world.add(0, Track::Kind::Host, Category::CpuOp, 0, 100);
  EXPECT_EQ(told(utilisationCounters(world.trace, 100)[0]), "0:100 100:0");
  world.add(0, Track::Kind::Stream, Category::Kernel, 0, 20).add(0, Track::Kind::Stream, Category::Kernel, 10, 30);
  EXPECT_EQ(told(utilisationCounters(world.trace, 100)[0]), "0:30 100:0") << "copies and launch calls are no compute";
  world.action(0, 0, 60);
  EXPECT_EQ(told(utilisationCounters(world.trace, 100)[0]), "0:60 100:0");
}

TEST(Utilisation, OfNothingIsNothing) {
  EXPECT_TRUE(utilisationCounters(Trace{}, 10).empty());
  EXPECT_TRUE(utilisationCounters(World(1).action(0, 0, 10).trace, 0).empty());
}

TEST(Utilisation, ItsMeanIsTheBusyTimeForEveryWindow) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    World world(1);
    Nanoseconds now = 0;
    Nanoseconds computed = 0;
    for (int i = 0; i < 40; ++i) {
      const Nanoseconds start = now + static_cast<Nanoseconds>(random() % 30);
      now = start + 1 + static_cast<Nanoseconds>(random() % 50);
      computed += now - start;
      world.action(0, start, now);
    }
    const TimeRange whole = world.trace.range();
    const Counter counter = utilisationCounters(world.trace, 1 + static_cast<Nanoseconds>(random() % 90)).at(0);
    double busy = 0;
    for (std::size_t i = 0; i + 1 < counter.times.size(); ++i)
      busy += counter.values[i] / 100 * static_cast<double>(counter.times[i + 1] - counter.times[i]);
    EXPECT_NEAR(busy, static_cast<double>(computed), 1e-6);
    EXPECT_EQ(counter.times.back(), whole.end);
  }
}

TEST(Utilisation, ItsWindowShowsAStepAndIsNeverTooShort) {
  World world(1);
  for (int step = 0; step < 10; ++step) world.action(0, step * 1000, step * 1000 + 1000, step);
  EXPECT_EQ(utilisationWindow(world.trace), 20);
  const World one = World(1)
                        .action(0, 0, 10'000'000'000, 0)
                        .action(0, 10'000'000'000, 10'000'000'010, 1)
                        .action(0, 10'000'000'010, 10'000'000'020, 2);
  EXPECT_LE(one.trace.range().length() / utilisationWindow(one.trace), 16384) << "short steps in a long trace";
  EXPECT_GE(utilisationWindow(Trace{}), 1);
}

TEST(Bubble, IsFillAndDrainOfEachStepsWindow) {
  const std::vector<StepWindow> steps = {{0, {0, 100}}, {1, {120, 220}}};
  const std::vector<CausePiece> pieces = {
      {{0, 20}, Cause::Fill}, {{50, 60}, Cause::Jitter}, {{90, 100}, Cause::Drain}, {{200, 220}, Cause::Imbalance}};
  const Counter counter = bubbleCounter(1, steps, pieces);
  EXPECT_EQ(counter.lane, 1);
  EXPECT_EQ(counter.name, "bubble");
  EXPECT_EQ(counter.series, "%");
  EXPECT_EQ(told(counter), "0:30 120:0") << "the second step has no fill and no drain";
}

TEST(Bubble, StandsUntilTheNextStepButNotThroughALongPause) {
  const std::vector<StepWindow> steps = {{0, {0, 100}}, {1, {150, 250}}, {2, {500, 600}}};
  const std::vector<CausePiece> pieces = {
      {{0, 10}, Cause::Fill}, {{150, 170}, Cause::Fill}, {{500, 530}, Cause::Drain}};
  EXPECT_EQ(told(bubbleCounter(0, steps, pieces)), "0:10 150:20 250:0 500:30 600:0");
}

TEST(Bubble, StepsThatTouchFollowEachOtherWithoutAHole) {
  const std::vector<StepWindow> steps = {{0, {0, 100}}, {1, {100, 200}}};
  EXPECT_EQ(told(bubbleCounter(0, steps, {{{0, 10}, Cause::Fill}, {{100, 140}, Cause::Drain}})), "0:10 100:40 200:0");
}

TEST(Bubble, OfAPipelineIsWhatTheIdleCausesSay) {
  World world(2);
  const Nanoseconds unit = 1000;
  const auto act = [&](int lane, Phase phase, int batch, Nanoseconds start) {
    Span span;
    span.start = start * unit;
    span.end = span.start + unit;
    span.category = Category::Action;
    span.phase = phase;
    span.step = 0;
    span.stage = static_cast<std::int16_t>(lane);
    span.micro_batch = static_cast<std::int16_t>(batch);
    Track track;
    track.lane = lane;
    track.spans.push_back(span);
    world.trace.tracks.push_back(std::move(track));
  };
  for (int batch = 0; batch < 3; ++batch) {
    act(0, Phase::Forward, batch, batch);
    act(1, Phase::Forward, batch, batch + 1);
    act(1, Phase::Backward, batch, batch + 4);
    act(0, Phase::Backward, batch, batch + 5);
  }
  const IdleCauses causes = explainIdle(world.trace);
  for (const LaneCauses& lane : causes.lanes) {
    const Counter counter = bubbleCounter(lane.lane, stepWindows(world.trace), lane.pieces);
    ASSERT_FALSE(counter.values.empty());
    EXPECT_DOUBLE_EQ(counter.values[0], 100.0 *
                                            static_cast<double>(lane.causes[Cause::Fill] + lane.causes[Cause::Drain]) /
                                            static_cast<double>(lane.window));
    EXPECT_NEAR(counter.values[0], 25, 1e-9) << "(p-1)/(m+p-1)";
  }
}

}  // namespace
}  // namespace lanelab
