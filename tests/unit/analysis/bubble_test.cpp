// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

struct Lengths {
  Nanoseconds forward;
  Nanoseconds backward;
};

TEST(Bubble, OfIdealPipelinesIsThatOfTheLiteratureAndHasNoOtherCause) {
  for (const std::string name : {"gpipe", "1f1b"}) {
    for (const Lengths lengths : {Lengths{1000, 1000}, Lengths{1000, 2000}, Lengths{1357, 2469}, Lengths{3000, 1000}}) {
      for (int p = 1; p <= 8; ++p) {
        for (const int m : {1, 2, 3, 5, 8, 16, 31, 32}) {
          SCOPED_TRACE(name + " p " + std::to_string(p) + " m " + std::to_string(m) + " F " +
                       std::to_string(lengths.forward));
          PipelineWorld world(p);
          PlannedStep step;
          step.schedule = scheduleOf(name, p, p, m);
          step.forward = lengths.forward;
          step.backward = lengths.backward;
          run(world, step);
          const IdleCauses causes = explainIdle(world.built());
          const CauseTimes total = totalOf(causes);
          EXPECT_EQ(total[Cause::Fill] + total[Cause::Drain], total.total());
          EXPECT_NEAR(bubbleShares(causes).of_total, (p - 1.0) / (m + p - 1.0), 1e-6);
          EXPECT_NEAR(bubbleShares(causes).of_ideal, (p - 1.0) / m, 1e-6);
        }
      }
    }
  }
}

TEST(Bubble, OfEqualStagesHasOnlyFillAndDrainInEverySchedule) {
  for (const std::string name : {"zb-h1", "interleaved-1f1b", "looped-bfs", "zb-v", "interleaved-zb"}) {
    SCOPED_TRACE(name);
    PipelineWorld world(4);
    PlannedStep step;
    step.schedule = scheduleOf(name, name == "zb-h1" ? 4 : 8, 4, 8);
    run(world, step);
    const CauseTimes total = totalOf(explainIdle(world.built()));
    EXPECT_GT(total.total(), 0);
    EXPECT_EQ(total[Cause::Fill] + total[Cause::Drain], total.total());
  }
}

TEST(Bubble, SharesAreZeroWhereThereIsNothingToDivideBy) {
  EXPECT_EQ(bubbleShares({}).of_total, 0);
  EXPECT_EQ(bubbleShares({}).of_ideal, 0);
  EXPECT_EQ(utilisation(LaneCauses{}), 0);
}

TEST(Bubble, UtilisationIsTheBusyShareOfTheWindow) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(1, "1F0", 10, 40);
  const IdleCauses causes = explainIdle(world.built());
  EXPECT_DOUBLE_EQ(utilisation(causes.lanes[0]), 0.25);
  EXPECT_DOUBLE_EQ(utilisation(causes.lanes[1]), 0.75);
}

}  // namespace
}  // namespace lanelab
