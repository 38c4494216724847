// SPDX-License-Identifier: GPL-3.0-only
// Steps in a row without a barrier: against closed forms, a plain simulation of many steps, and the published table of
// zero bubble.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "engine/schedule/generate.h"
#include "engine/sim/simulate.h"
#include "tests/support/sanitized.h"

namespace lanelab {
namespace {

/// Of a stage; the weight part is part of the backward.
struct StageCost {
  double forward, backward, weight;
  double update = 0;
};

/// One block a stage, stage s on lanes[s].
struct Pipeline {
  std::vector<LaneId> lanes;
  std::vector<Stage> stages;
  StepCosts costs;
  Schedule schedule;

  Simulation steps(int count) const { return simulate(schedule, stages, costs, count); }
  Simulation steady() const { return simulateSteady(schedule, stages, costs); }
};

Pipeline pipelineOf(const std::vector<LaneId>& lanes, const std::vector<StageCost>& costs) {
  Pipeline made{lanes, {}, {}, {}};
  for (std::size_t s = 0; s < lanes.size(); ++s) {
    made.stages.push_back({StageId(s), lanes[s], BlockId(s), BlockId(s + 1)});
    const StageCost& cost = costs[std::min(s, costs.size() - 1)];
    made.costs.whole.blocks.push_back(
        {"block " + std::to_string(s), cost.forward, cost.backward, cost.weight, cost.update});
  }
  made.costs.whole.transfers.assign(lanes.size() - 1, 0.0);
  return made;
}

/// In the order of `kind` for steps that overlap.
Pipeline streaming(ScheduleKind kind, int lanes, int micro_batches, StageCost cost, double transfer = 0,
                   const ScheduleLimits& limits = {}) {
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  Pipeline made = pipelineOf(all, {cost});
  made.costs.whole.transfers.assign(all.size() - 1, transfer);
  const auto whole = [](double seconds) { return static_cast<std::int64_t>(std::llround(seconds * 1000)); };
  const std::vector<StageTimes> times(all.size(), {whole(cost.forward), whole(cost.backward), whole(cost.weight)});
  Result<Schedule> schedule = generateSchedule(kind, all, lanes, micro_batches, WindowKind::Period, times, limits);
  EXPECT_TRUE(schedule.ok()) << (schedule.ok() ? "" : schedule.error().message);
  if (schedule.ok()) made.schedule = std::move(*schedule);
  return made;
}

double bubbleOf(const Simulation& simulation) {
  double busy = 0;
  for (const SimulatedLane& lane : simulation.lanes) busy += lane.busy;
  return 1 - busy / (simulation.step_seconds * static_cast<double>(simulation.lanes.size()));
}

TEST(SimulateSteps, OneStepIsSimulate) {
  Pipeline made = streaming(ScheduleKind::ZbH1, 4, 7, {1.1, 2.3, 0.7, 0.25}, 0.125);
  made.costs.whole.contention = 0.1;
  const Simulation one = simulate(made.schedule, made.stages, made.costs), same = made.steps(1);
  EXPECT_EQ(one.step_seconds, same.step_seconds);
  EXPECT_EQ(one.transfers, same.transfers);
  for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(one.lanes[lane].actions, same.lanes[lane].actions);
}

TEST(SimulateSteps, AStepFollowsAStagesOwnUpdateOnly) {
  // 1F1B of one micro-batch, F 1, B 2, updates 0.5: lane 1 updates from 4 to 4.5 while lane 0 is at its backward, 4 to
  // 6; lane 0 updates to 6.5 and begins the next step, which lane 1 gets at 7.5.
  const Simulation two = streaming(ScheduleKind::OneFOneB, 2, 1, {1, 2, 0, 0.5}).steps(2);
  ASSERT_EQ(two.lanes[1].actions.size(), 6u);
  EXPECT_EQ(two.lanes[1].actions[2].end, 4.5);
  EXPECT_EQ(two.lanes[0].actions[2].end, 6.5);
  EXPECT_EQ(two.lanes[0].actions[3],
            (SimulatedAction{{StageId(0), ActionKind::Forward, MicroBatchId(0)}, 6.5, 7.5, 1}));
  EXPECT_EQ(two.lanes[1].actions[3].start, 7.5);
  EXPECT_EQ(two.step_seconds, 13);
}

struct Formula {
  ScheduleKind kind;
  std::optional<int> warm_up;
  int lanes, micro_batches;
  StageCost cost;
  double idle;  ///< of each lane in a period
};

// GPipe and 1F1B gain nothing, since the first lane's last backward ends the step. ZB-H1's first lane waits for the
// same, ZB-H2's (warm-up 2p-1) as long as its authors say: (p-1)(F+I-2W), where that is not below 0.
const std::vector<Formula> kFormulas = {
    {ScheduleKind::Gpipe, {}, 2, 4, {1, 2, 1}, 1 * 3},
    {ScheduleKind::Gpipe, {}, 4, 8, {1.1, 2.3, 0.7}, 3 * 3.4},
    {ScheduleKind::OneFOneB, {}, 2, 4, {1, 2, 1}, 1 * 3},
    {ScheduleKind::OneFOneB, {}, 8, 16, {1, 2, 1}, 7 * 3},
    {ScheduleKind::ZbH1, 4, 4, 12, {2, 4, 1}, 3 * (2 + 3 - 1)},
    {ScheduleKind::ZbH1, 7, 4, 12, {2, 4, 1}, 3 * (5 - 2)},
    {ScheduleKind::ZbH1, 7, 4, 12, {1, 2, 1}, 0},
    {ScheduleKind::ZbH1, 15, 8, 24, {1, 2, 1}, 0},
    {ScheduleKind::List, 8, 4, 12, {1, 2, 1}, 0},
    {ScheduleKind::OneFOneB, {}, 1, 5, {1, 2, 1}, 0},
};

TEST(SimulateSteady, IdlesAsLongAsTheLiteratureSays) {
  for (const Formula& row : kFormulas) {
    const Pipeline made = streaming(row.kind, row.lanes, row.micro_batches, row.cost, 0, {row.warm_up});
    const Simulation done = made.steady();
    EXPECT_EQ(done.window, WindowKind::Period);
    for (const SimulatedLane& lane : done.lanes) {
      EXPECT_NEAR(lane.idle, row.idle, 1e-9) << toWord(row.kind) << " p=" << row.lanes << " m=" << row.micro_batches;
      EXPECT_NEAR(lane.busy, row.micro_batches * (row.cost.forward + row.cost.backward), 1e-9);
      EXPECT_NEAR(lane.busy + lane.idle, done.step_seconds, 1e-12 * done.step_seconds);
    }
  }
}

TEST(SimulateSteady, ShowsAFewStepsFromZeroAPeriodApart) {
  const Simulation done = streaming(ScheduleKind::ZbH1, 4, 12, {1, 2, 1}, 0, {7}).steady();
  for (const SimulatedLane& lane : done.lanes) {
    std::map<int, double> first;
    for (const SimulatedAction& action : lane.actions) first.try_emplace(action.step, action.start);
    ASSERT_EQ(first.size(), static_cast<std::size_t>(kShownSteps));
    EXPECT_NEAR(first[1] - first[0], done.step_seconds, 1e-9);
    EXPECT_NEAR(first[2] - first[1], done.step_seconds, 1e-9);
  }
  EXPECT_EQ(done.lanes[0].actions.front().start, 0);
}

TEST(SimulateSteady, ContentionCountsAcrossSteps) {
  // Both lanes always compute once steps overlap, so that everything takes half as long again.
  Pipeline made = streaming(ScheduleKind::List, 2, 8, {1, 2, 1}, 0, {4});
  made.costs.whole.contention = 0.5;
  EXPECT_NEAR(made.steady().step_seconds, 1.5 * 24, 1e-6);
}

TEST(SimulateSteady, LanesWithoutWorkAreIdleThroughout) {
  Pipeline made = pipelineOf({LaneId(1)}, {{1, 2, 1}});
  made.schedule = *generateSchedule(ScheduleKind::Gpipe, made.lanes, 3, 2, WindowKind::Period);
  const Simulation done = made.steady();
  EXPECT_DOUBLE_EQ(done.step_seconds, 6);
  EXPECT_DOUBLE_EQ(done.lanes[2].idle, 6);
  EXPECT_DOUBLE_EQ(done.lanes[1].idle, 0);
}

TEST(SimulateSteady, WorkThatCostsNothingHasNoPeriod) {
  EXPECT_EQ(streaming(ScheduleKind::OneFOneB, 2, 2, {0, 0, 0}).steady().step_seconds, 0);
}

/// When each lane begins and ends each of many steps, without transfers' queues and contention: one action after
/// another, each as soon as what it needs has ended.
struct PlainSteps {
  std::vector<std::vector<double>> starts;  ///< [lane][step]
  double end = 0;
};

PlainSteps plainSteps(const Pipeline& made, int steps) {
  std::map<std::tuple<int, int, int, int>, double> ends;  // step, stage, forward or not, micro-batch
  const std::size_t lanes = made.schedule.lanes.size();
  std::vector<double> free_at(lanes, 0);
  PlainSteps plain{std::vector<std::vector<double>>(lanes), 0};
  const int last_stage = made.schedule.stages - 1;
  for (int step = 0; step < steps; ++step) {
    std::vector<std::size_t> next(lanes, 0);
    std::vector<std::vector<int>> left(lanes, std::vector<int>(made.stages.size(), made.schedule.micro_batches));
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        while (next[lane] < made.schedule.lanes[lane].size()) {
          const Action& a = made.schedule.lanes[lane][next[lane]];
          const int stage = a.stage.value, k = a.micro_batch.value;
          const bool forward = a.kind == ActionKind::Forward, weight = a.kind == ActionKind::BackwardWeight;
          const int from = forward ? stage - 1 : stage + 1;
          double ready = 0;
          if (!weight && from >= 0 && from <= last_stage) {
            const auto found = ends.find({step, from, forward, k});
            if (found == ends.end()) break;
            const bool travels = made.lanes[static_cast<std::size_t>(from)] != LaneId(lane);
            ready = found->second +
                    (travels ? made.costs.whole.transfers[static_cast<std::size_t>(std::min(from, stage))] : 0);
          }
          const BlockCost& cost = made.costs.whole.blocks[a.stage.index()];
          const double length = forward                               ? cost.forward
                                : weight                              ? cost.backward_weight
                                : a.kind == ActionKind::BackwardInput ? cost.backward - cost.backward_weight
                                                                      : cost.backward;
          const double start = std::max(ready, free_at[lane]);
          if (next[lane] == 0) plain.starts[lane].push_back(start);
          free_at[lane] = start + length;
          if (!weight) ends[{step, stage, forward, k}] = free_at[lane];
          if (endsBackward(a.kind) && --left[lane][a.stage.index()] == 0) free_at[lane] += cost.update;
          ++next[lane];
          moved = true;
        }
      }
    }
  }
  plain.end = *std::max_element(free_at.begin(), free_at.end());
  return plain;
}

/// Transfers shorter than every action never queue.
Pipeline randomPipeline(std::mt19937& random) {
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  const int lanes = 1 + below(4), stages = lanes + below(3), micro_batches = 1 + below(9);
  std::vector<LaneId> placed;
  for (int s = 0; s < stages; ++s) placed.emplace_back(s < lanes ? s : below(lanes));
  std::vector<StageCost> costs;
  for (int s = 0; s < stages; ++s) {
    const double weight = 1 + below(9);
    costs.push_back({1.0 + below(9), weight + 1 + below(9), weight, 1.0 * below(3)});
  }
  Pipeline made = pipelineOf(placed, costs);
  for (double& transfer : made.costs.whole.transfers) transfer = 0.25 * below(3);
  constexpr ScheduleKind kKinds[] = {ScheduleKind::Gpipe, ScheduleKind::OneFOneB, ScheduleKind::ZbH1,
                                     ScheduleKind::List};
  made.schedule = *generateSchedule(kKinds[below(4)], placed, lanes, micro_batches,
                                    below(2) ? WindowKind::Period : WindowKind::Step);
  return made;
}

TEST(SimulateSteps, AreThoseOfAPlainSimulationOfRandomSchedules) {
  std::mt19937 random(20);
  for (int round = 0; round < 300; ++round) {
    const Pipeline made = randomPipeline(random);
    const PlainSteps plain = plainSteps(made, 4);
    const Simulation done = made.steps(4);
    EXPECT_NEAR(done.step_seconds, plain.end, 1e-9) << toCsv(made.schedule);
    for (std::size_t lane = 0; lane < done.lanes.size(); ++lane) {
      std::map<int, double> first;
      for (const SimulatedAction& action : done.lanes[lane].actions) first.try_emplace(action.step, action.start);
      for (const auto& [step, start] : first)
        EXPECT_NEAR(start, plain.starts[lane][static_cast<std::size_t>(step)], 1e-9) << toCsv(made.schedule);
      EXPECT_NEAR(done.lanes[lane].busy + done.lanes[lane].idle, done.step_seconds, 1e-9);
    }
  }
}

TEST(SimulateSteady, IsTheMeanOfManyStepsOfRandomSchedules) {
  std::mt19937 random(21);
  for (int round = 0; round < test::casesOf(100); ++round) {
    const Pipeline made = randomPipeline(random);
    constexpr int kMany = 400, kSettled = 160;
    const PlainSteps plain = plainSteps(made, kMany);
    const double mean = (plain.starts[0][kMany - 1] - plain.starts[0][kSettled - 1]) / (kMany - kSettled);
    EXPECT_NEAR(made.steady().step_seconds, mean, 0.005 * mean) << toCsv(made.schedule);
  }
}

/// The bubble rates of the authors' own script (sail-sg/zero-bubble-pipeline-parallelism, iclr_bubble_rates; table 5 of
/// Qi et al. 2023): a stage's own window, which is the period of steps without a barrier. Milliseconds.
struct Published {
  int stages, micro_batches;
  double forward, input, weight, transfer;
  double held_after_input;  ///< 32h / (34h + 5as), of its hidden size and heads
  double h2, p2;            ///< ZB-H2, and ZB-2p with memory for 2p activations
};

const std::vector<Published> kPublished = {
    {8, 24, 18.522, 18.086, 9.337, 0.601, 0.366, 0.1083, 0.0433},
    {8, 32, 18.513, 18.086, 9.331, 0.626, 0.366, 0.0837, 0.0039},
    {8, 64, 18.546, 18.097, 9.321, 0.762, 0.366, 0.0444, 0.0026},
    {8, 24, 29.718, 29.444, 19.927, 0.527, 0.432, 0.0698, 0.0029},
    {8, 32, 29.802, 29.428, 19.530, 0.577, 0.432, 0.0559, 0.0022},
    {8, 64, 29.935, 29.621, 19.388, 0.535, 0.432, 0.0294, 0.0010},
    {16, 48, 11.347, 11.248, 8.132, 0.377, 0.432, 0.0672, 0.0066},
    {16, 64, 11.307, 11.254, 8.101, 0.379, 0.432, 0.0516, 0.0054},
    {16, 128, 11.325, 11.308, 8.109, 0.378, 0.432, 0.0266, 0.0028},
    {32, 96, 10.419, 10.207, 7.715, 0.408, 0.432, 0.0641, 0.0038},
    {32, 128, 10.408, 10.204, 7.703, 0.408, 0.432, 0.0490, 0.0029},
    {32, 256, 10.402, 10.248, 7.698, 0.460, 0.432, 0.0257, 0.0018},
};

TEST(SimulateSteady, ReproducesThePublishedBubblesOfZeroBubbleWithinAPoint) {
  for (const Published& row : kPublished) {
    if (row.stages * row.micro_batches > test::casesOf(32 * 256, 8)) continue;
    const auto bubble = [&](ScheduleKind kind, const ScheduleLimits& limits) {
      const StageCost cost{row.forward, row.input + row.weight, row.weight};
      return bubbleOf(streaming(kind, row.stages, row.micro_batches, cost, row.transfer, limits).steady());
    };
    const std::string what = "p=" + std::to_string(row.stages) + " m=" + std::to_string(row.micro_batches);
    EXPECT_NEAR(bubble(ScheduleKind::ZbH1, {.warm_up = 2 * row.stages - 1}), row.h2, 0.0001) << what;
    EXPECT_NEAR(bubble(ScheduleKind::List, {.warm_up = 2 * row.stages, .held_after_input = row.held_after_input}),
                row.p2, 0.01)
        << what;
  }
}

}  // namespace
}  // namespace lanelab
