// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/step_bound.h"

#include <gtest/gtest.h>

#include <random>

#include "engine/schedule/generate.h"
#include "engine/sim/measured_costs.h"
#include "tests/support/sanitized.h"

namespace lanelab {
namespace {

/// Stages of one block each, on the lanes that the schedule gives them.
VariantPlan planOf(ScheduleKind kind, int stages, int lanes, MicroBatches micro_batches, WindowKind window) {
  VariantPlan plan;
  const std::vector<LaneId> lane_of_stage = lanesOfStages(kind, stages, lanes);
  for (int s = 0; s < stages; ++s)
    plan.stages.push_back({StageId(s), lane_of_stage[static_cast<std::size_t>(s)], BlockId(s), BlockId(s + 1)});
  plan.micro_batches = micro_batches;
  plan.step_barrier = window == WindowKind::Period ? StepBarrier::None : StepBarrier::Asked;
  plan.schedule = *generateSchedule(kind, lane_of_stage, lanes, micro_batches.count(), window);
  return plan;
}

class RandomCosts {
 public:
  explicit RandomCosts(unsigned seed) : m_random(seed) {}

  StepCosts costs(int blocks, int lanes, bool smaller_last) {
    StepCosts costs{model(blocks), std::nullopt};
    for (int lane = 0; lane < lanes; ++lane) costs.whole.lane_slowness.push_back(1 + upTo(1));
    costs.whole.action_overhead = upTo(0.3);
    costs.whole.contention = upTo(0.2) - 0.05;  // a noisy measurement may find lanes faster together
    if (smaller_last) costs.last = model(blocks);
    return costs;
  }

 private:
  double upTo(double most) { return std::uniform_real_distribution<double>(0, most)(m_random); }
  CostModel model(int blocks) {
    CostModel costs;
    for (int b = 0; b < blocks; ++b) {
      const double weight = upTo(9);
      costs.blocks.push_back({"", upTo(9), weight + upTo(9), weight, upTo(4)});
      if (b > 0) costs.transfers.push_back(upTo(3));
    }
    return costs;
  }

  std::mt19937 m_random;
};

TEST(StepBound, NoScheduleIsBelowIt) {
  struct Size {
    int stages, lanes;
  };
  double shares = 0;
  int all = 0;
  for (const ScheduleKind kind : knownSchedules()) {
    for (const Size size : {Size{2, 2}, Size{4, 2}, Size{4, 4}, Size{6, 3}, Size{8, 4}}) {
      for (const WindowKind window : {WindowKind::Step, WindowKind::Period}) {
        for (const MicroBatches micro_batches : {MicroBatches{1, 1}, MicroBatches{6, 2}, MicroBatches{15, 2}}) {
          if (!checkScheduleRequest(kind, lanesOfStages(kind, size.stages, size.lanes), size.lanes,
                                    micro_batches.count())
                   .ok())
            continue;
          const VariantPlan plan = planOf(kind, size.stages, size.lanes, micro_batches, window);
          for (unsigned seed = 0; seed < static_cast<unsigned>(test::casesOf(20)); ++seed) {
            const StepCosts costs = RandomCosts(seed).costs(size.stages, size.lanes, micro_batches.batch % 2 == 1);
            const double seconds = simulate(plan, costs).step_seconds, bound = boundOf(plan, costs).seconds();
            ASSERT_LE(bound, seconds * (1 + 1e-9)) << toWord(kind) << " " << size.stages << " " << seed;
            ++all;
            shares += bound / seconds;
          }
        }
      }
    }
  }
  EXPECT_GT(shares / all, 0.75) << "a bound far below the steps says nothing";
}

TEST(StepBound, OfEvenStagesIsTheStepOfTheirWholeBackwards) {
  const VariantPlan plan = planOf(ScheduleKind::OneFOneB, 4, 4, {8, 1}, WindowKind::Step);
  StepCosts costs;
  costs.whole.blocks.assign(4, {"", 1, 2, 1, 0});
  costs.whole.transfers.assign(3, 0.0);
  EXPECT_EQ(simulate(plan, costs).step_seconds, 8 * 3 + 3 * 3);
  const StepBound bound = boundOf(plan, costs);
  EXPECT_EQ(bound.lane, LaneId(3));
  EXPECT_EQ(bound.before, 3);
  EXPECT_EQ(bound.work, 24);
  EXPECT_EQ(bound.after, 6);
}

TEST(StepBound, WeightPartsFillWhatWouldComeAfter) {
  StepCosts costs;
  costs.whole.blocks.assign(2, {"", 1, 2, 1, 0});
  costs.whole.transfers.assign(1, 0.0);
  const StepBound step = boundOf(planOf(ScheduleKind::ZbH1, 2, 2, {4, 1}, WindowKind::Step), costs);
  EXPECT_EQ(step.seconds(), 1 + 4 * 3) << "as ZB-H1 takes";
  const StepBound period = boundOf(planOf(ScheduleKind::ZbH1, 2, 2, {4, 1}, WindowKind::Period), costs);
  EXPECT_EQ(period.seconds(), 4 * 3) << "and without a barrier";
  EXPECT_EQ(period.before, 0);
}

}  // namespace
}  // namespace lanelab
