// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"
#include "tests/support/sanitized.h"
#include "tests/unit/advise/measured_world.h"

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
    chain.problem.blocks.push_back({name, 2 * forward + weight});
    if (i > 0) chain.costs.transfers.push_back(1e-4);
  }
  chain.problem.transfers = chain.costs.transfers;
  chain.problem.slowness = {1.0, 1.25};
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
  const CutForecast forecast(chain.problem, StepPredictor(chain.costs), ScheduleKind::ZbH1);
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
      const CutForecast forecast(chain.problem, StepPredictor(chain.costs), schedule);
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

/// A ResNet-18 on two lanes, all blocks alike in time.
struct LimitedResnet {
  explicit LimitedResnet(ScheduleKind kind) {
    experiment = test::resnetOn(2);
    experiment.variants = {test::pipelineCutAt({"layer3.0"})};
    experiment.variants.front().schedule = kind;
    resolution = test::resolved(experiment);
    for (const BlockSpec& block : resolution->model().blocks) {
      costs.blocks.push_back({block.name, 1e-3, 2e-3, 1e-3, 0});
      problem.blocks.push_back({block.name, 3e-3});
    }
    costs.transfers.assign(costs.blocks.size() - 1, 0);
    problem.slowness = {1, 1};
    problem.lane_of_stage = {LaneId(0), LaneId(1)};
    problem.micro_batches = variant().microBatches().count();
  }
  const ResolvedVariant& variant() const { return resolution->variants().front(); }
  CutForecast within(std::int64_t limit) const {
    return {problem, StepPredictor(costs), variant().config().schedule,
            CutExperiment{resolution,
                          variant().modes(),
                          variant().microBatches(),
                          windowKindOf(variant().stepBarrier()),
                          {limit, limit}}};
  }

  Experiment experiment;
  std::shared_ptr<const Resolution> resolution;
  CostModel costs;
  PartitionProblem problem;
};

/// With a smaller last micro-batch, updates, recompute and a norm to which all gradients are clipped.
TEST(CutForecast, IsTheStepOfAVariantWithTheseCuts) {
  for (const ScheduleKind kind : knownSchedules()) {
    for (const WindowKind window : {WindowKind::Step, WindowKind::Period}) {
      Experiment experiment = test::resnetOn(2, "resnet18");
      experiment.variants = {test::pipelineCutAt({"layer1.1", "layer2.1", "layer3.1"}, kind, 5)};
      VariantConfig& variant = experiment.variants.front();
      variant.recompute = Recompute::Activations;
      variant.step_barrier = window == WindowKind::Step;
      if (window == WindowKind::Step) experiment.training.clip_grad_norm = 1;
      const auto resolution = test::resolved(experiment);
      BlockTimes times = estimatedBlockTimes(experiment, resolution->model());
      for (Timing& update : times.profiles.profiles[0].updates) update = {1e-3, 1e-3, 1e-3, 1};
      const StepPredictor predictor(times);
      const ResolvedVariant& asked = resolution->variants().front();
      PartitionProblem problem = chainOf(predictor.blockCosts(5, Backwards::Whole), lanesOfStages(kind, 4, 2), 2);
      problem.micro_batches = asked.microBatches().count();
      const CutForecast forecast(problem, predictor, kind,
                                 CutExperiment{resolution, asked.modes(), asked.microBatches(), window});
      const std::vector<BlockId> cuts = {BlockId(2), BlockId(4), BlockId(7)};
      const VariantPlan planned = forecast.planOf(cuts, window);
      variant.cuts.reset();
      variant.placement.emplace();
      for (const Stage& stage : planned.stages)
        for (std::size_t block = stage.first.index(); block < stage.end.index(); ++block)
          (*variant.placement)[resolution->model().blocks[block].name] = stage.lane.value;
      if (goesRoundTheLanes(kind)) {
        variant.placement.reset();
        variant.cuts.emplace();
        for (const BlockId cut : cuts) variant.cuts->push_back(resolution->model().blocks[cut.index()].name);
      }
      if (kind == ScheduleKind::List) {
        const Backwards parts = Backwards::Parts;
        variant.stage_times =
            stageTimesText(recomputing(predictor.blockCosts(5, parts), planned.forward_again), planned.stages);
      }
      const auto run = test::resolved(experiment);
      const Result<VariantPlan>& plan = run->variants().front().plan();
      ASSERT_TRUE(plan.ok()) << toWord(kind) << ": " << plan.error().message;
      ASSERT_EQ(planned.stages, plan->stages) << toWord(kind);
      EXPECT_EQ(planned.schedule, plan->schedule) << toWord(kind);
      const StepForecast of = forecast.of(cuts);
      EXPECT_EQ(window == WindowKind::Step ? of.step_seconds : of.period_seconds, predictor.seconds(*plan))
          << toWord(kind);
    }
  }
}

TEST(CutForecast, HasTheMemoryThatARunOfTheseCutsIsForecast) {
  for (const ScheduleKind kind : {ScheduleKind::Gpipe, ScheduleKind::OneFOneB, ScheduleKind::ZbH1}) {
    const LimitedResnet world(kind);
    const CutForecast forecast = world.within(1);
    const std::vector<BlockSpec>& blocks = world.resolution->model().blocks;
    for (std::size_t b = 1; b < blocks.size(); ++b) {
      VariantConfig cut = world.variant().config();
      cut.cuts = {blocks[b].name};
      cut.placement.reset();
      std::vector<std::int64_t> run;
      const auto resolution = world.variant().with(cut);
      for (const LaneForecast& lane : forecastMemory(resolution->variants().front()))
        run.push_back(lane.at_peak.total());
      EXPECT_EQ(forecast.peaksOf({BlockId(b)}), run) << toWord(kind) << " " << blocks[b].name;
    }
  }
}

TEST(CutForecast, FindsACutWhereverOneFits) {
  const LimitedResnet world(ScheduleKind::OneFOneB);
  const CutForecast any = world.within(1);
  const int blocks = static_cast<int>(world.problem.blocks.size());
  std::vector<std::int64_t> needed;
  for (int b = 1; b < blocks; ++b) needed.push_back(std::ranges::max(any.peaksOf({BlockId(b)})));
  for (std::size_t n = 0; n < needed.size(); n += static_cast<std::size_t>(test::strideOf(1))) {
    for (const std::int64_t tried : {needed[n] - 1, needed[n]}) {
      double least = std::numeric_limits<double>::infinity();
      for (int b = 1; b < blocks; ++b)
        if (needed[static_cast<std::size_t>(b - 1)] <= tried)
          least = std::min(least, any.of({BlockId(b)}).step_seconds);
      const CutForecast forecast = world.within(tried);
      for (const int start : {1, blocks - 1})
        EXPECT_EQ(forecast.fastest({BlockId(start)}, WindowKind::Step).seconds, least) << tried;
      EXPECT_EQ(std::isinf(forecast.leastObjective({BlockId(1)}).seconds), std::isinf(least));
    }
  }
}

}  // namespace
}  // namespace lanelab
