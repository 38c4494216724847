// SPDX-License-Identifier: GPL-3.0-only
// Steps without a barrier: lanes go on by themselves, and meet where they are told to.
#include <latch>

#include "tests/unit/step_loop/recorded_spans.h"

namespace lanelab {
namespace {

bool never(int) { return false; }

TEST(Stretches, RandomSchedulesWithRandomMeetingsKeepTheOrder) {
  std::mt19937 random(2027);
  for (int round = 0; round < 300; ++round) {
    Loop one(randomPlan(random));
    const unsigned meetings = random();
    const int steps = 1 + static_cast<int>(random() % 6);
    const RepeatOutcome outcome = one.run(steps, nullptr, {}, [&](int step) { return (meetings >> step & 1U) != 0; });
    ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure) << "\n" << toCsv(one.plan.schedule);
    EXPECT_EQ(one.world.wrong, 0) << toCsv(one.plan.schedule);
    EXPECT_EQ(one.world.actions, steps * one.actionsAStep());
    EXPECT_EQ(one.world.updates, steps * one.plan.schedule.stages);
    EXPECT_EQ(outcome.losses.size(), static_cast<std::size_t>(steps));
  }
}

// Lane 1 ends step 0 only after lane 0 has begun step 1: with a barrier this would never end.
TEST(Stretches, ALaneBeginsItsNextStepWhileAnotherIsInTheLast) {
  Loop one(writtenPlan({0, 1}, "0F0,0I0,0W0\n1F0,1I0,1W0"));
  std::latch begun(1);
  one.world.before = [&](LaneId, const Action& action, int step) {
    if (toString(action) == "0F0" && step == 1) begun.count_down();
    if (toString(action) == "1W0" && step == 0) begun.wait();
  };
  TraceBuilder builder("test", one.plan.lanes);
  const RepeatOutcome outcome = one.run(2, &builder, {}, never);
  ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  const std::vector<Span> steps = spansOf(*builder.snapshot(), 0, Track::Kind::Step);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_LT(steps[1].start, steps[0].end);
  EXPECT_LE(steps[0].start, steps[1].start);
  EXPECT_LE(steps[0].end, steps[1].end);
}

TEST(Stretches, LanesMeetWhereTheyAreTold) {
  Loop one(planOf({0, 1, 2}, 3, "1f1b", 4));
  TraceBuilder builder("test", one.plan.lanes);
  std::vector<int> idle_after;  // steps after which no lane runs
  const auto meets_after = [](int step) { return step % 2 == 1; };
  const auto on_step = [&](int step, double, double) {
    if (meets_after(step) && one.loop.onLane(LaneId(1), [](LaneWorker&) {}).ok()) idle_after.push_back(step);
  };
  ASSERT_TRUE(withinLimit([&] { return one.loop.run(6, &builder, on_step, {}, 0, meets_after); }).failure.ok());
  EXPECT_EQ(idle_after, (std::vector<int>{1, 3, 5}));
  const std::vector<Span> steps = spansOf(*builder.snapshot(), 0, Track::Kind::Step);
  ASSERT_EQ(steps.size(), 6U);
  for (const std::size_t meeting : {1, 3}) {
    EXPECT_LE(steps[meeting].end, steps[meeting + 1].start);
    EXPECT_LT(steps[meeting].mark, steps[meeting + 1].mark) << "when lanes last began together";
  }
  for (const std::size_t first : {0, 2, 4}) {
    EXPECT_EQ(steps[first].mark, steps[first + 1].mark);
    EXPECT_GT(steps[first].mark, 0);
    EXPECT_LE(steps[first].mark, steps[first].start);
  }
}

TEST(Stretches, TheSecondsOfStepsAddUp) {
  Loop one(planOf({0, 1}, 2, "1f1b", 4));
  one.world.before = [](LaneId, const Action&, int) { keepBusy(50'000); };
  one.world.data_wait = [](LaneId lane, int) {
    if (lane.value > 0) return TimeRange{};
    const Nanoseconds asked = monotonicNow();
    keepBusy(100'000);
    return TimeRange{asked, monotonicNow()};
  };
  TraceBuilder builder("test", one.plan.lanes);
  const Nanoseconds before = monotonicNow();
  const RepeatOutcome outcome = one.run(20, &builder, {}, never);
  const double elapsed = static_cast<double>(monotonicNow() - before) * 1e-9;
  double sum = 0;
  for (const double seconds : outcome.step_seconds) {
    EXPECT_GT(seconds, 0);
    sum += seconds;
  }
  EXPECT_GE(sum, static_cast<double>(builder.snapshot()->range().length()) * 1e-9 * 0.999);
  EXPECT_LE(sum, elapsed);
}

TEST(Stretches, AFailureLeavesTheStepsThatAllLanesHaveDone) {
  for (const char* planted : {"0F1", "1B1", "2U"}) {
    Loop one(planOf({0, 1, 2}, 3, "1f1b", 3));
    one.world.before = [&](LaneId, const Action& action, int step) {
      if (toString(action) == planted && step == 3) throw std::runtime_error("planted.");
    };
    const RepeatOutcome outcome = one.run(9, nullptr, {}, never);
    EXPECT_NE(messageOf(outcome.failure).find("planted."), std::string::npos);
    // A lane that was still in the step before leaves it, too.
    EXPECT_GE(outcome.losses.size(), 2U) << planted;
    EXPECT_LE(outcome.losses.size(), 3U) << planted;
    one.world.before = nullptr;
    EXPECT_TRUE(one.run(2, nullptr, {}, never).failure.ok());
    EXPECT_EQ(one.world.wrong, 0);
  }
}

TEST(Stretches, ARandomCancelNeverHangs) {
  std::mt19937 random(6);
  for (int round = 0; round < 100; ++round) {
    Loop one(randomPlan(random));
    std::stop_source source;
    const int stop_at = static_cast<int>(random() % static_cast<unsigned>(4 * one.actionsAStep()));
    one.world.before = [&](LaneId, const Action&, int) {
      if (one.world.actions >= stop_at) source.request_stop();
    };
    const RepeatOutcome outcome = one.run(4, nullptr, source.get_token(), never);
    EXPECT_TRUE(outcome.failure.ok() || outcome.failure.error().kind == Error::Kind::Cancelled);
    EXPECT_EQ(one.world.wrong, 0);
  }
}

}  // namespace
}  // namespace lanelab
