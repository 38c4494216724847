// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {
namespace {

struct Chain {
  PartitionProblem problem;
  CostModel costs;
};

Chain randomChain(int blocks, ScheduleKind schedule, int stages, int micro_batches, unsigned seed = 1) {
  std::mt19937 source(seed);
  const auto random = [&source] { return 1e-3 * (1 + static_cast<double>(source() % 1000) / 100); };
  Chain chain;
  for (int i = 0; i < blocks; ++i) {
    const double forward = random(), weight = random();
    const std::string name = "b" + std::to_string(i);
    chain.costs.blocks.push_back({name, forward, forward + weight, weight, 0});
    chain.problem.blocks.push_back({name, 2 * forward + weight, 0, 0, 0});
    if (i > 0) chain.costs.transfers.push_back(1e-4);
  }
  chain.problem.transfers = chain.costs.transfers;
  chain.problem.lanes = {{1.0}, {1.25}};
  chain.problem.lane_of_stage = lanesOfStages(schedule, stages, 2);
  chain.problem.micro_batches = micro_batches;
  return chain;
}

TEST(CutForecast, IsTheSimulationOfTheOrderThatACutHas) {
  const Chain chain = randomChain(8, ScheduleKind::ZbH1, 2, 4);
  const std::vector<Stage> stages = {{StageId(0), LaneId(0), BlockId(0), BlockId(3)},
                                     {StageId(1), LaneId(1), BlockId(3), BlockId(8)}};
  StepCosts costs{chain.costs, std::nullopt};
  costs.whole.lane_slowness = {1, 1.25};
  const auto ordered = [&](WindowKind window) {
    return *generateSchedule(ScheduleKind::ZbH1, chain.problem.lane_of_stage, 2, 4, window,
                             stageTimesOf(costs.whole, stages));
  };
  const CutForecast forecast(chain.problem, chain.costs, ScheduleKind::ZbH1);
  const StepForecast predicted = forecast.of({BlockId(3)});
  EXPECT_EQ(predicted.step_seconds, simulate(ordered(WindowKind::Step), stages, costs).step_seconds);
  EXPECT_EQ(predicted.period_seconds, simulateSteady(ordered(WindowKind::Period), stages, costs).step_seconds);
  EXPECT_LT(predicted.period_seconds, predicted.step_seconds);
}

/// Of three cuts, by trying them all.
double leastStep(const CutForecast& forecast, int blocks, WindowKind window) {
  double least = std::numeric_limits<double>::infinity();
  for (int a = 1; a < blocks; ++a) {
    for (int b = a + 1; b < blocks; ++b) {
      for (int c = b + 1; c < blocks; ++c) {
        const StepForecast of = forecast.of({BlockId(a), BlockId(b), BlockId(c)});
        least = std::min(least, window == WindowKind::Step ? of.step_seconds : of.period_seconds);
      }
    }
  }
  return least;
}

TEST(CutForecast, FindsACutThatNoOtherBeatsAndThePartitionDoesNot) {
  int shorter = 0;
  for (const ScheduleKind schedule : {ScheduleKind::InterleavedOneFOneB, ScheduleKind::ZbV}) {
    for (const unsigned seed : {1U, 2U, 3U, 4U}) {
      const WindowKind window = seed % 2 == 0 ? WindowKind::Step : WindowKind::Period;
      const Chain chain = randomChain(9, schedule, 4, 6, seed);
      const CutForecast forecast(chain.problem, chain.costs, schedule);
      const std::vector<BlockId> exact = partition(chain.problem)->cuts;
      const FastestCut fastest = forecast.fastest(exact, window);
      EXPECT_EQ(fastest.seconds, leastStep(forecast, 9, window)) << toWord(schedule);
      EXPECT_TRUE(fastest.all_tried);
      EXPECT_EQ(fastest.tried, 56) << "8 over 3";
      const StepForecast of = forecast.of(exact);
      if (fastest.seconds < (window == WindowKind::Step ? of.step_seconds : of.period_seconds)) ++shorter;
    }
  }
  EXPECT_GT(shorter, 0) << "latency + (m-1) x bottleneck is not the step of these orders";
}

TEST(CutForecast, StaysWithinTheMemoryOfItsLanes) {
  Chain chain = randomChain(9, ScheduleKind::OneFOneB, 2, 6);
  for (PartitionBlock& block : chain.problem.blocks) block.resident_bytes = 1;
  const CutForecast free(chain.problem, chain.costs, ScheduleKind::OneFOneB);
  const int first_of_second = free.fastest({BlockId(1)}, WindowKind::Step).cuts[0].value;
  ASSERT_GT(first_of_second, 1);
  chain.problem.lanes[0].memory = first_of_second - 1;
  const CutForecast tight(chain.problem, chain.costs, ScheduleKind::OneFOneB);
  const FastestCut fastest = tight.fastest({BlockId(1)}, WindowKind::Step);
  EXPECT_LT(fastest.cuts[0].value, first_of_second);
  EXPECT_GT(fastest.seconds, free.of({BlockId(first_of_second)}).step_seconds);
}

}  // namespace
}  // namespace lanelab
