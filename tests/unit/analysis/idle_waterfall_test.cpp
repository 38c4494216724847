// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_waterfall.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

struct Ideal {
  const char* schedule;
  int stages;
  double idle;  ///< per lane, where F = I = W = 1
};

TEST(IdleWaterfall, BeginsWithTheBubbleOfTheSchedule) {
  constexpr int kLanes = 2, kMicroBatches = 8;
  // (p-1)(F+B), (p-1)(F+I-W), (p-1)(F+B)/v and (p-1)/2 of a micro-batch's two chunks (Qi et al. 2023 and 2024).
  const Ideal table[] = {{"gpipe", 2, 3}, {"1f1b", 2, 3}, {"zb-h1", 2, 1}, {"interleaved-1f1b", 4, 3}, {"zb-v", 4, 1}};
  for (const Ideal& row : table) {
    SCOPED_TRACE(row.schedule);
    PipelineWorld world(kLanes);
    PlannedStep step;
    step.schedule = scheduleOf(row.schedule, row.stages, kLanes, kMicroBatches);
    step.copy = 500;  // which is not part of the ideal
    world.window(0, run(world, step));
    const Trace& trace = world.built();
    const auto waterfall = idleWaterfall(trace, explainIdle(trace));
    ASSERT_EQ(waterfall.size(), 6U);
    EXPECT_EQ(waterfall.front().takes, Takes::Order);
    EXPECT_NEAR(waterfall.front().of_busy, row.idle / (3 * kMicroBatches * row.stages / kLanes), 1e-9);
    EXPECT_GT(waterfall[3].of_total, waterfall[2].of_total) << "transfers";
    EXPECT_NEAR(waterfall.back().of_total, waterfall[4].of_total, 1e-9) << "nothing is unequal";
  }
}

TEST(IdleWaterfall, OfOtherProgramsIsEmpty) { EXPECT_TRUE(idleWaterfall(Trace{}, {}).empty()); }

}  // namespace
}  // namespace lanelab
