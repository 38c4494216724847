// SPDX-License-Identifier: GPL-3.0-only
// Board, form, schedule, memory, the run and its lanes take one resolution of the experiment, and the network in it.
#include <gtest/gtest.h>

#include <QLabel>
#include <QUndoStack>
#include <mutex>

#include "engine/exported/exported_network.h"
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

TEST(ResolvedOnce, ANetworkIsOpenedOnceFromItsFileToTheFirstActionOfItsRun) {
  std::int64_t at_first_action = 0;
  std::once_flag first;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action&, int) {
    std::call_once(first, [&] { at_first_action = openedNetworks(); });
  };
  const test::WindowWorld world(behaviour);
  ExperimentDocument& document = world.window->document();
  const std::int64_t before = openedNetworks();
  world.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/exported/unet.pt2"));
  ASSERT_TRUE(test::waitFor([&] { return document.model().arch == "unet"; }));
  document.edit("repeats", [](Experiment& e) { e.repeats += 1; });
  document.undoStack()->undo();
  document.undoStack()->redo();
  Placement moved = document.activePlacement();
  moved.lane_of_block.back() = LaneId(moved.lane_of_block.back().value == 0 ? 1 : 0);
  document.setPlacement("move", moved);
  EXPECT_EQ(document.activePlacement(), moved);
  EXPECT_TRUE(document.problems().empty());
  ASSERT_TRUE(world.runToTheEnd());
  EXPECT_EQ(at_first_action - before, 1);
  // What explains the run is worked out off the window's thread, after it.
  ASSERT_TRUE(test::waitFor([&] { return !world.find<QLabel>("suggestionSentence")->text().isEmpty(); }));
  EXPECT_EQ(openedNetworks() - before, 1);
}

}  // namespace
}  // namespace lanelab
