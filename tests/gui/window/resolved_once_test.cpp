// SPDX-License-Identifier: GPL-3.0-only
// Board, form, schedule, memory, the run and its lanes take one resolution of the experiment.
#include <gtest/gtest.h>

#include <mutex>

#include "tests/gui/window/window_world.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {
namespace {

TEST(ResolvedOnce, FromAnEditToTheFirstActionOfItsRun) {
  ResolutionCount at_first_action;
  std::once_flag first;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action&, int) {
    std::call_once(first, [&] { at_first_action = resolutionCount(); });
  };
  const test::WindowWorld world(behaviour);
  const auto variants = static_cast<std::int64_t>(world.window->document().experiment().variants.size());
  ASSERT_EQ(variants, 3);
  const ResolutionCount before = resolutionCount();
  world.window->document().edit("another seed", [](Experiment& e) { e.training.seed += 1; });
  ASSERT_TRUE(world.runToTheEnd());
  EXPECT_EQ(at_first_action.variants - before.variants, variants);
  EXPECT_EQ(at_first_action.plans - before.plans, variants);
}

}  // namespace
}  // namespace lanelab
