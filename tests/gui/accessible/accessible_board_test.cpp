// SPDX-License-Identifier: GPL-3.0-only
// The board as a screen reader has it: lanes, blocks, and what keys say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>

#include "tests/gui/accessible/heard.h"
#include "tests/gui/board/small_world.h"
#include "ui/board/board_view.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct AccessibleBoardWorld : test::Accessible, SmallWorld {
  AccessibleBoardWorld() : board(&document, {{Device::cpu(0), "core 0"}, {Device::cpu(1), "core 1"}}) {
    accessible = QAccessible::queryAccessibleInterface(&board);
    board.resize(900, 220);
    board.show();
    board.activateWindow();
    board.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&board, 5000));
    QApplication::processEvents();
  }
  QAccessibleInterface& lane(int lane) const { return *accessible->child(lane); }
  /// By its name in the model.
  QAccessibleInterface* block(const char* name) const {
    const std::string wanted = std::string(name) + ",";
    for (int i = 0; i < 2; ++i)
      for (QAccessibleInterface* const child : test::childrenOf(lane(i)))
        if (test::nameOf(child).starts_with(wanted)) return child;
    return nullptr;
  }
  void key(Qt::Key which, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&board, which, keys); }

  BoardView board;
  QAccessibleInterface* accessible = nullptr;
};

TEST(AccessibleBoard, IsAListOfLanesEachAListOfItsBlocks) {
  AccessibleBoardWorld world;
  EXPECT_EQ(world.accessible->role(), QAccessible::List);
  EXPECT_EQ(test::nameOf(world.accessible), "Lane board");
  EXPECT_THAT(test::nameOf(&world.lane(0)), StartsWith("cpu:0, 5 blocks, "));
  EXPECT_THAT(test::nameOf(&world.lane(0)), EndsWith(" of all MACs"));
  for (int lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(world.lane(lane).role(), QAccessible::List);
    EXPECT_EQ(world.lane(lane).parent(), world.accessible);
    EXPECT_EQ(world.accessible->indexOfChild(&world.lane(lane)), lane);
    for (int place = 0; place < world.lane(lane).childCount(); ++place) {
      QAccessibleInterface* const block = world.lane(lane).child(place);
      EXPECT_EQ(block->role(), QAccessible::ListItem);
      EXPECT_EQ(block->parent(), &world.lane(lane));
      EXPECT_EQ(world.lane(lane).indexOfChild(block), place) << test::nameOf(block);
    }
  }
  EXPECT_EQ(world.lane(0).childCount() + world.lane(1).childCount(),
            static_cast<int>(world.document.model().blocks.size()));
}

TEST(AccessibleBoard, ABlockSaysWhereItIsAndWhatItCosts) {
  AccessibleBoardWorld world;
  QAccessibleInterface* const block = world.block("layer3.0");
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(test::nameOf(block), "layer3.0, on lane cpu:1, 919 k parameters, 14.7 M MACs");
  EXPECT_THAT(block->text(QAccessible::Description).toStdString(), EndsWith("output 256x4x4"));
}

TEST(AccessibleBoard, EveryPartLiesWhereItIsDrawn) {
  AccessibleBoardWorld world;
  const QRect board(world.board.mapToGlobal(QPoint(0, 0)), world.board.size());
  for (const char* const name : {"layer1.0", "layer3.0", "layer4.1"}) {
    QAccessibleInterface* const block = world.block(name);
    ASSERT_NE(block, nullptr) << name;
    const QPoint centre = block->rect().center();
    EXPECT_TRUE(board.contains(block->rect())) << name;
    EXPECT_TRUE(block->parent()->rect().contains(centre)) << name;
    EXPECT_EQ(world.accessible->childAt(centre.x(), centre.y()), block) << name;
    EXPECT_EQ(block->parent()->childAt(centre.x(), centre.y()), block) << name;
  }
}

TEST(AccessibleBoard, KeysAreHeard) {
  AccessibleBoardWorld world;
  test::Heard heard;
  const struct {
    Qt::Key key;
    Qt::KeyboardModifiers with;
    QAccessible::Event event;
    const char* begin;
  } rows[] = {{Qt::Key_End, Qt::NoModifier, QAccessible::Focus, "head, on lane cpu:1"},
              {Qt::Key_Left, Qt::NoModifier, QAccessible::Focus, "layer4.1, on lane cpu:1"},
              {Qt::Key_Left, Qt::ShiftModifier, QAccessible::SelectionAdd, "layer4.0, on lane cpu:1"},
              {Qt::Key_Escape, Qt::NoModifier, QAccessible::SelectionRemove, "layer4.1, on lane cpu:1"},
              {Qt::Key_Home, Qt::NoModifier, QAccessible::Focus, "stem, on lane cpu:0"},
              {Qt::Key_1, Qt::NoModifier, QAccessible::NameChanged, "stem, on lane cpu:1"},
              {Qt::Key_Space, Qt::NoModifier, QAccessible::DescriptionChanged, "Lane board"}};
  for (const auto& [key, with, event, begin] : rows) {
    heard.forget();
    world.key(key, with);
    if (key == Qt::Key_Space) world.key(Qt::Key_Up);  // carried by keys
    EXPECT_THAT(heard.last(event), StartsWith(begin)) << key;
  }
}

TEST(AccessibleBoard, TheCurrentBlockHasTheFocusAndChosenOnesAreSelected) {
  AccessibleBoardWorld world;
  world.key(Qt::Key_Home);
  world.key(Qt::Key_Right, Qt::ShiftModifier);
  const struct {
    const char* block;
    bool focused, selected;
  } rows[] = {{"stem", false, true}, {"layer1.0", true, true}, {"layer1.1", false, false}};
  for (const auto& [name, focused, selected] : rows) {
    const QAccessible::State state = world.block(name)->state();
    EXPECT_EQ(state.focused, focused) << name;
    EXPECT_EQ(state.selected, selected) << name;
    EXPECT_TRUE(state.focusable && state.selectable) << name;
  }
  EXPECT_EQ(world.accessible->focusChild(), world.block("layer1.0"));
}

TEST(AccessibleBoard, AllBlocksAtOnceAreOneEvent) {
  AccessibleBoardWorld world;
  Experiment deep = smallExperiment();
  deep.model.arch = "resnet50";
  for (VariantConfig& variant : deep.variants) variant.cuts.reset();
  world.document.reset(deep, {});
  test::Heard heard;
  world.key(Qt::Key_A, Qt::ControlModifier);
  EXPECT_THAT(heard.of(QAccessible::SelectionWithin), ElementsAre("Lane board"));
  EXPECT_THAT(heard.of(QAccessible::SelectionAdd), IsEmpty());
}

TEST(AccessibleBoard, ActionsSelectABlockAndMoveIt) {
  AccessibleBoardWorld world;
  QAccessibleInterface* const block = world.block("layer2.0");
  ASSERT_NE(block, nullptr);
  QAccessibleActionInterface* actions = block->actionInterface();
  ASSERT_NE(actions, nullptr);
  EXPECT_EQ(actions->actionNames(),
            QStringList({"select", QAccessibleActionInterface::setFocusAction(), "moveToLane1"}));
  EXPECT_EQ(actions->localizedActionName("moveToLane1"), "Move to lane cpu:1");
  actions->doAction("select");
  EXPECT_TRUE(block->state().selected);
  actions->doAction("moveToLane1");
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  EXPECT_EQ(block->parent(), &world.lane(1));
  world.document.undoStack()->undo();
  EXPECT_EQ(world.laneOf("layer2.0"), 0) << "one edit";
  world.board.setReadOnly(true);
  EXPECT_EQ(actions->actionNames().size(), 2) << "nothing moves during a run";
}

TEST(AccessibleBoard, BlocksOfAnotherModelAreOthers) {
  AccessibleBoardWorld world;
  Experiment deep = smallExperiment();
  deep.model.arch = "resnet50";
  for (VariantConfig& variant : deep.variants) variant.cuts.reset();
  const QAccessible::Id last = [&] {
    world.document.reset(deep, {});
    QAccessibleInterface& lane = world.lane(0);
    return QAccessible::uniqueId(lane.child(lane.childCount() - 1));
  }();
  world.document.reset(smallExperiment(), {});
  EXPECT_FALSE(QAccessible::accessibleInterface(last)->isValid());
  EXPECT_EQ(QAccessible::accessibleInterface(last)->text(QAccessible::Name), QString());
}

TEST(AccessibleBoard, IsQuietWithoutTheKeyboard) {
  AccessibleBoardWorld world;
  world.board.clearFocus();
  test::Heard heard;
  world.board.showBlock(BlockId(3));
  EXPECT_THAT(heard.of(QAccessible::Focus), IsEmpty());
  world.board.setFocus();
  QApplication::processEvents();
  EXPECT_THAT(heard.last(QAccessible::Focus), StartsWith("layer2.0,")) << "after the board itself";
}

}  // namespace
}  // namespace lanelab
