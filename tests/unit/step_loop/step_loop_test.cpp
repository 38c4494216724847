// SPDX-License-Identifier: GPL-3.0-only
#include <latch>
#include <set>

#include "engine/lanes/lane_program.h"
#include "tests/unit/step_loop/loop_world.h"

namespace lanelab {
namespace {

TEST(StepLoop, FiveHundredRandomLegalSchedulesEndAndKeepTheOrder) {
  std::mt19937 random(2026);
  for (int round = 0; round < 500; ++round) {
    Loop one(randomPlan(random));
    const RepeatOutcome outcome = one.run(2);
    ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure) << "\n" << toCsv(one.plan.schedule);
    EXPECT_EQ(one.world.wrong, 0) << toCsv(one.plan.schedule);
    EXPECT_EQ(one.world.actions, 2 * one.actionsAStep());
    EXPECT_EQ(one.world.updates, 2 * one.plan.schedule.stages);
    EXPECT_EQ(outcome.step_seconds.size(), 2u);
  }
}

TEST(StepLoop, SumsTheLossesOfTheLanesAndTellsEachStepOnTheCallingThread) {
  Loop one(planOf({0, 1, 2}, 3, "gpipe", 2));
  std::vector<int> steps;
  const auto caller = std::this_thread::get_id();
  const RepeatOutcome outcome = one.loop.run(3, nullptr,
                                             [&](int step, double seconds, double loss) {
                                               EXPECT_EQ(std::this_thread::get_id(), caller);
                                               EXPECT_GE(seconds, 0);
                                               EXPECT_EQ(loss, 3);  // each of the three workers holds 1
                                               steps.push_back(step);
                                             },
                                             {});
  EXPECT_TRUE(outcome.failure.ok());
  EXPECT_EQ(steps, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(outcome.losses, (std::vector<double>{3, 3, 3}));
}

std::string textOf(const LaneProgram& program) {
  std::string text;
  for (const Instruction& instruction : program) text += toString(instruction.action) + " ";
  return text;
}

TEST(StepLoop, UpdatesComeLastWhereStagesWaitForTheGradientsOfOthers) {
  Plan plan = writtenPlan({0, 0}, "0F0,1F0,1B0,0F1,0B0,1F1,1B1,0B1");
  EXPECT_EQ(textOf(lanePrograms(plan.schedule)[0]), "0F0 1F0 1B0 0F1 0B0 1F1 1B1 1U 0B1 0U ");
  plan.schedule.updates_last = true;
  EXPECT_EQ(textOf(lanePrograms(plan.schedule)[0]), "0F0 1F0 1B0 0F1 0B0 1F1 1B1 0B1 1U 0U ");
}

TEST(StepLoop, TheUpdateFollowsTheStagesLastWeightPartOrWholeBackward) {
  const Plan plan = writtenPlan({0, 1}, "0F0,0F1,0B0,0I1,0W1\n1F0,1I0,1F1,1I1,1W1,1W0");
  const auto programs = lanePrograms(plan.schedule);
  EXPECT_EQ(textOf(programs[0]), "0F0 0F1 0B0 0I1 0W1 0U ");
  EXPECT_EQ(textOf(programs[1]), "1F0 1I0 1F1 1I1 1W1 1W0 1U ");
  EXPECT_EQ(toString(programs[0][2].producer), "1I0");
  EXPECT_EQ(programs[0][4].input, -1);
  EXPECT_EQ(programs[0][4].output, -1);
  Loop one(plan);
  EXPECT_TRUE(one.run(2).failure.ok());
  EXPECT_EQ(one.world.wrong, 0);
  EXPECT_EQ(one.world.updates, 4);
}

TEST(StepLoop, ALanePostsToItselfWhereNeighbouringStagesShareIt) {
  // The V of ZB-V on two lanes: stages 1 and 2 lie on lane 1.
  Loop one(
      writtenPlan({0, 1, 1, 0}, "0F0,0F1,3F0,3I0,3W0,3F1,3B1,0I0,0W0,0B1\n1F0,2F0,1F1,2F1,2I0,1I0,2W0,1W0,2B1,1B1"));
  const RepeatOutcome outcome = one.run(3);
  EXPECT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  EXPECT_EQ(one.world.wrong, 0);
  EXPECT_EQ(one.world.actions, 3 * one.actionsAStep());
}

TEST(StepLoop, ExecutesEverySchedule) {
  for (const std::string& name : knownScheduleNames()) {
    SCOPED_TRACE(name);
    const ScheduleKind kind = *parseScheduleName(name);
    Plan plan{cpuLanes(2), {}, {}};
    const std::vector<LaneId> lane_of_stage = lanesOfStages(kind, 4, {LaneId(0), LaneId(1)});
    for (std::size_t s = 0; s < lane_of_stage.size(); ++s)
      plan.stages.push_back({StageId(s), lane_of_stage[s], BlockId(s), BlockId(s + 1)});
    plan.schedule = std::move(generateSchedule(kind, lane_of_stage, 2, 5, WindowKind::Step)).value();
    Loop one(plan);
    const RepeatOutcome outcome = one.run(3);
    EXPECT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
    EXPECT_EQ(one.world.wrong, 0);
    EXPECT_EQ(one.world.actions, 3 * one.actionsAStep());
  }
}

TEST(StepLoop, RefusesWhatCannotBeExecuted) {
  const auto startMessage = [](Plan plan) {
    StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
    World world(plan);
    const Status started = loop.start([&](LaneId lane) { return std::make_unique<CheckingWorker>(world, lane); });
    EXPECT_FALSE(loop.run(1, nullptr, {}, {}).failure.ok());
    return messageOf(started);
  };
  Plan plan = planOf({0, 1}, 2, "gpipe", 2);
  plan.schedule = std::move(parseScheduleCsv("0F0,0B0,0F1,0B1\n1F0,1F1,1B0,1B1")).value();
  EXPECT_EQ(startMessage(plan), "Deadlock: lane 0 waits at 0B0 for 1B0, while lane 1 waits at 1F1 for 0F1.");
  plan.schedule = std::move(parseScheduleCsv("0F0,0B0\n1F0,1W0,1I0")).value();
  EXPECT_EQ(startMessage(plan), "Deadlock: lane 1 waits at 1W0 for 1I0, which comes later on the same lane.");
  plan.lanes = cpuLanes(3);
  EXPECT_NE(startMessage(plan).find("2 rows for 3 lanes"), std::string::npos);
}

struct Failure {
  const char* action;  ///< whose `before` throws
  const char* says;
};

class FailingAction : public testing::TestWithParam<Failure> {};

TEST_P(FailingAction, IsNamedAndTheNextRunWorks) {
  Loop one(planOf({0, 1, 0}, 2, "1f1b", 3));
  const Action planted = *parseAction(GetParam().action);
  one.world.before = [&](LaneId, const Action& action, int step) {
    if (action == planted && step == 1) throw std::runtime_error("planted.\nstack of a library");
  };
  const RepeatOutcome failed = one.run(3);
  EXPECT_EQ(messageOf(failed.failure), GetParam().says);
  EXPECT_EQ(failed.failure.error().kind, Error::Kind::Failed);
  EXPECT_EQ(failed.step_seconds.size(), 1u);  // what was measured is kept

  one.world.before = nullptr;
  one.world.actions = 0;
  const RepeatOutcome again = one.run(2);
  EXPECT_TRUE(again.failure.ok()) << messageOf(again.failure);
  EXPECT_EQ(one.world.actions, 2 * one.actionsAStep());
  EXPECT_EQ(one.world.wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(StepLoop, FailingAction,
                         testing::Values(Failure{"0F0", "Lane 0 (cpu:0), stage 0, micro-batch 0, forward: planted."},
                                         Failure{"1B2", "Lane 1 (cpu:1), stage 1, micro-batch 2, backward: planted."},
                                         Failure{"2F1", "Lane 0 (cpu:0), stage 2, micro-batch 1, forward: planted."},
                                         Failure{"1U", "Lane 1 (cpu:1), stage 1, update: planted."}),
                         [](const auto& failure) { return std::string("At") + failure.param.action; });

TEST(StepLoop, AFailureInAPartOfTheBackwardSaysWhich) {
  for (const Failure& failure : {Failure{"1I0", "Lane 1 (cpu:1), stage 1, micro-batch 0, input gradient: planted."},
                                 Failure{"1W0", "Lane 1 (cpu:1), stage 1, micro-batch 0, weight gradient: planted."}}) {
    Loop one(writtenPlan({0, 1}, "0F0,0I0,0W0\n1F0,1I0,1W0"));
    one.world.before = [&](LaneId, const Action& action, int) {
      if (toString(action) == failure.action) throw std::runtime_error("planted.");
    };
    EXPECT_EQ(messageOf(one.run(1).failure), failure.says);
    one.world.before = nullptr;
    EXPECT_TRUE(one.run(1).failure.ok());
    EXPECT_EQ(one.world.wrong, 0);
  }
}

// Every packet counts itself while it lives.
class CountingWorker : public LaneWorker {
 public:
  CountingWorker(std::atomic<int>& living, bool& fails) : m_living(living), m_fails(fails) {}
  TimeRange beginStep(const StepCommand&) override { return {}; }
  Packet perform(const Action& action, Packet) override {
    if (action.kind != ActionKind::Forward) return nullptr;
    if (m_fails && action.stage.value == 1 && action.micro_batch.value == 0) throw std::runtime_error("planted.");
    ++m_living;
    return Packet(&m_living, [this](void*) { --m_living; });
  }
  double endStep() override { return 0; }

 private:
  std::atomic<int>& m_living;
  bool& m_fails;
};

TEST(StepLoop, NoPacketOutlivesTheRun) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 6);
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  std::atomic<int> living = 0;
  bool fails = true;
  ASSERT_TRUE(loop.start([&](LaneId) { return std::make_unique<CountingWorker>(living, fails); }).ok());
  EXPECT_FALSE(loop.run(1, nullptr, {}, {}).failure.ok());
  EXPECT_EQ(living, 0);
  fails = false;
  EXPECT_TRUE(loop.run(2, nullptr, {}, {}).failure.ok());
  EXPECT_EQ(living, 0);
}

TEST(StepLoop, WhenAllLanesFailOneIsNamed) {
  for (int round = 0; round < 50; ++round) {
    Loop one(planOf({0, 1, 2, 3}, 4, "gpipe", 4));
    one.world.before = [](LaneId, const Action& action, int) {
      if (action.micro_batch.value == 2) throw std::bad_alloc();
    };
    const RepeatOutcome outcome = one.run(1);
    EXPECT_NE(messageOf(outcome.failure).find("micro-batch 2, forward: out of memory"), std::string::npos)
        << messageOf(outcome.failure);
    EXPECT_TRUE(outcome.step_seconds.empty());
  }
}

TEST(StepLoop, CancelWakesALaneThatWaitsForItsInput) {
  Loop one(planOf({0, 1}, 2, "gpipe", 2));
  std::latch inside(1), released(1);
  one.world.before = [&](LaneId, const Action& action, int) {
    if (toString(action) != "0F1") return;
    inside.count_down();
    released.wait();
  };
  std::stop_source source;
  auto running = std::async(std::launch::async, [&] { return one.loop.run(5, nullptr, {}, source.get_token()); });
  inside.wait();
  source.request_stop();
  released.count_down();
  const RepeatOutcome outcome = withinLimit([&] { return running.get(); });
  EXPECT_EQ(outcome.failure.error().kind, Error::Kind::Cancelled);
  EXPECT_TRUE(outcome.step_seconds.empty());
  EXPECT_LT(one.world.actions, one.actionsAStep());

  one.world.before = nullptr;
  EXPECT_TRUE(one.run(1).failure.ok());
}

TEST(StepLoop, CancelBetweenStepsKeepsWhatWasMeasured) {
  Loop one(planOf({0, 1}, 2, "1f1b", 2));
  std::stop_source source;
  const RepeatOutcome outcome = withinLimit([&] {
    return one.loop.run(
        100, nullptr,
        [&](int step, double, double) {
          if (step == 2) source.request_stop();
        },
        source.get_token());
  });
  EXPECT_EQ(outcome.failure.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(outcome.losses.size(), 3u);
  EXPECT_EQ(one.run(1, nullptr, source.get_token()).failure.error().kind,
            Error::Kind::Cancelled);  // stopped before it began
  EXPECT_TRUE(one.run(1).failure.ok());
}

TEST(StepLoop, ARandomCancelNeverHangs) {
  std::mt19937 random(5);
  for (int round = 0; round < 100; ++round) {
    Loop one(randomPlan(random));
    std::stop_source source;
    const int stop_at = static_cast<int>(random() % static_cast<unsigned>(2 * one.actionsAStep()));
    one.world.before = [&](LaneId, const Action&, int) {
      if (one.world.actions >= stop_at) source.request_stop();
    };
    const RepeatOutcome outcome = one.run(2, nullptr, source.get_token());
    EXPECT_TRUE(outcome.failure.ok() || outcome.failure.error().kind == Error::Kind::Cancelled);
    EXPECT_EQ(one.world.wrong, 0);
  }
}

class WorkerThatFailsAround : public LaneWorker {
 public:
  explicit WorkerThatFailsAround(const std::string& where) : m_where(where) {}
  TimeRange beginStep(const StepCommand&) override {
    failAt("begin");
    return {};
  }
  Packet perform(const Action&, Packet) override { return nullptr; }
  double endStep() override {
    failAt("end");
    return 0;
  }

 private:
  void failAt(const std::string& where) const {
    if (where == m_where) throw std::runtime_error("planted.");
  }
  const std::string& m_where;
};

TEST(StepLoop, FailuresAroundTheActionsAreNamedToo) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 2);
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  std::string where;
  ASSERT_TRUE(loop.start([&](LaneId) { return std::make_unique<WorkerThatFailsAround>(where); }).ok());
  const auto run = [&](const char* at) {
    where = at;
    return messageOf(withinLimit([&] { return loop.run(1, nullptr, {}, {}); }).failure);
  };
  EXPECT_NE(run("begin").find("begin of step 1: planted."), std::string::npos);
  EXPECT_NE(run("end").find("end of step 1: planted."), std::string::npos);
  EXPECT_EQ(run("nowhere"), "success");
}

TEST(StepLoop, AFactoryThatThrowsNamesTheLane) {
  Plan plan = planOf({0, 1}, 2, "gpipe", 1);
  plan.lanes[1].name = "right";
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  World world(plan);
  const Status started = loop.start([&](LaneId lane) -> std::unique_ptr<LaneWorker> {
    if (lane.value == 1) throw std::runtime_error("no such core.");
    return std::make_unique<CheckingWorker>(world, lane);
  });
  EXPECT_EQ(messageOf(started), "Lane 1 (right, cpu:1), start: no such core.");
}

TEST(StepLoop, OnLaneWorksOnTheLanesOwnThread) {
  Loop one(planOf({0, 2}, 3, "gpipe", 1));
  std::set<std::thread::id> threads = {std::this_thread::get_id()};
  for (const int lane : {0, 2}) {
    EXPECT_TRUE(one.loop.onLane(LaneId(lane), [&](LaneWorker&) { threads.insert(std::this_thread::get_id()); }).ok());
  }
  EXPECT_EQ(threads.size(), 3u);
  EXPECT_NE(messageOf(one.loop.onLane(LaneId(1), [](LaneWorker&) {})).find("Lane 1 does not work"), std::string::npos);
  EXPECT_EQ(messageOf(one.loop.onLane(LaneId(2), [](LaneWorker&) { throw std::runtime_error("planted."); })),
            "Lane 2 (cpu:2): planted.");
}

}  // namespace
}  // namespace lanelab
