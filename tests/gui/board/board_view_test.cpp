// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QPointingDevice>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <QUndoStack>
#include <memory>

#include "tests/gui/board/small_world.h"
#include "ui/board/board_lane_actions.h"
#include "ui/board/lane_columns.h"
#include "ui/board/placement_strip.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

struct BoardWorld : SmallWorld {
  BoardWorld()
      : board(&document, {{Device::cpu(0), "core 0"}, {Device::cpu(1), "core 1"}, {Device::cpu(2), "core 2"}}) {
    board.resize(900, 220);
    board.show();
    board.activateWindow();
    board.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&board, 5000));
  }
  QPoint pixel(QPointF scene) const { return board.mapFromScene(scene); }
  BlockId block(const char* name) const { return *document.model().find(name); }
  QPoint chip(const char* name) const { return pixel(board.geometryNow().chips[block(name).index()].rect.center()); }
  QPoint inLane(const char* name, int lane) const {
    const BoardGeometry& geometry = board.geometryNow();
    return pixel({geometry.chips[block(name).index()].rect.center().x(),
                  geometry.rows[static_cast<std::size_t>(lane)].band.center().y()});
  }
  void press(QPoint at, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(board.viewport(), Qt::LeftButton, keys, at);
  }
  void release(QPoint at) { QTest::mouseRelease(board.viewport(), Qt::LeftButton, {}, at); }
  void drag(QPoint from, QPoint to) {
    press(from);
    QTest::mouseMove(board.viewport(), (from + to) / 2);
    QTest::mouseMove(board.viewport(), to);
    release(to);
  }
  void key(Qt::Key which, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&board, which, keys); }
  BoardView board;
};

TEST(Board, AChipDraggedToAnotherLaneMovesThereAndUndoBringsItBack) {
  BoardWorld world;
  ASSERT_EQ(world.laneOf("layer2.1"), 0);
  world.drag(world.chip("layer2.1"), world.inLane("layer2.1", 1));
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer2.1")));
  EXPECT_EQ(world.document.undoStack()->count(), 1);
  world.document.undoStack()->undo();
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
}

TEST(Board, WhileDraggingThePreviewIsToldAndTheDocumentIsUnchanged) {
  BoardWorld world;
  const QSignalSpy previews(&world.board, &BoardView::previewChanged);
  const QSignalSpy ends(&world.board, &BoardView::previewEnded);
  world.press(world.chip("layer2.1"));
  QTest::mouseMove(world.board.viewport(), world.inLane("layer2.1", 1));
  ASSERT_GE(previews.size(), 1);
  const Placement preview = previews.last().front().value<Placement>();
  EXPECT_EQ(preview.lane_of_block[world.block("layer2.1").index()], LaneId(1));
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
  EXPECT_EQ(world.document.undoStack()->count(), 0);
  world.key(Qt::Key_Escape);
  EXPECT_EQ(ends.size(), 1);
  world.release(world.inLane("layer2.1", 1));
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
  EXPECT_EQ(world.document.undoStack()->count(), 0);
}

TEST(Board, ARubberBandChoosesAndTheSelectionMovesTogether) {
  BoardWorld world;
  const BoardGeometry& geometry = world.board.geometryNow();
  const QRectF first = geometry.chips[world.block("layer1.1").index()].rect;
  const QRectF last = geometry.chips[world.block("layer2.1").index()].rect;
  const QPointF below(first.left() + 2, first.bottom() + 10);
  world.drag(world.pixel(below), world.pixel({last.right() - 2, last.center().y()}));
  EXPECT_THAT(world.board.selectedBlocks(),
              ElementsAre(world.block("layer1.1"), world.block("layer2.0"), world.block("layer2.1")));
  world.drag(world.chip("layer2.0"), world.inLane("layer2.0", 1));
  for (const char* name : {"layer1.1", "layer2.0", "layer2.1"}) EXPECT_EQ(world.laneOf(name), 1) << name;
  EXPECT_EQ(world.laneOf("layer1.0"), 0);
  EXPECT_EQ(world.document.undoStack()->count(), 1);
}

TEST(Board, ControlClickAddsToTheSelection) {
  BoardWorld world;
  QTest::mouseClick(world.board.viewport(), Qt::LeftButton, {}, world.chip("stem"));
  QTest::mouseClick(world.board.viewport(), Qt::LeftButton, Qt::ControlModifier, world.chip("layer2.0"));
  EXPECT_THAT(world.board.selectedBlocks(), ElementsAre(world.block("stem"), world.block("layer2.0")));
  QTest::mouseClick(world.board.viewport(), Qt::LeftButton, Qt::ControlModifier, world.chip("stem"));
  EXPECT_THAT(world.board.selectedBlocks(), ElementsAre(world.block("layer2.0")));
}

TEST(Board, OtherButtonsAndFingersOutsideOfItLeaveADragAlone) {
  BoardWorld world;
  QWidget* const board = world.board.viewport();
  const std::unique_ptr<QPointingDevice> fingers(QTest::createTouchDevice());
  const int before = world.laneOf("layer2.1");
  const QPoint place = world.chip("layer2.1");  // while it is dragged, the chip is elsewhere
  for (const QPoint& outside : {QPoint(2000, 40), QPoint(100, -300), QPoint(-5, 4000)}) {
    world.press(place);
    QTest::mouseMove(board, outside);
    for (const Qt::MouseButton second : {Qt::RightButton, Qt::MiddleButton, Qt::BackButton}) {
      QTest::mousePress(board, second, {}, outside);
      QTest::mouseRelease(board, second, {}, outside);
      QTest::mouseDClick(board, second, {}, outside);
    }
    QTest::touchEvent(board, fingers.get()).press(0, outside, board);
    QTest::touchEvent(board, fingers.get()).release(0, outside, board);
    QTest::mouseMove(board, place);
    world.release(place);
    EXPECT_EQ(world.laneOf("layer2.1"), before);
  }
  EXPECT_FALSE(world.board.grab().isNull());
}

TEST(Board, TheCutHandleMovesTheCut) {
  BoardWorld world;
  const BoardGeometry::Cut cut = world.board.geometryNow().cuts.front();
  const QPointF target(world.board.geometryNow().chips[world.block("layer2.0").index()].rect.left(),
                       cut.handle.center().y());
  world.drag(world.pixel(cut.handle.center()), world.pixel(target));
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer2.0")));
  EXPECT_EQ(world.document.undoStack()->count(), 1);
}

TEST(Board, TheSameByKeysAlone) {
  BoardWorld world;
  world.key(Qt::Key_Home);
  for (int i = 0; i < 4; ++i) world.key(Qt::Key_Right);
  EXPECT_THAT(world.board.selectedBlocks(), ElementsAre(world.block("layer2.1")));
  world.key(Qt::Key_Down, Qt::ControlModifier);
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
  world.key(Qt::Key_Up, Qt::ControlModifier);
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
  world.key(Qt::Key_Left, Qt::ShiftModifier);
  world.key(Qt::Key_Space);
  world.key(Qt::Key_Down);
  EXPECT_EQ(world.laneOf("layer2.0"), 0) << "carried, not dropped yet";
  world.key(Qt::Key_Return);
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
  world.key(Qt::Key_Space);
  world.key(Qt::Key_Up);
  world.key(Qt::Key_Escape);
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  world.key(Qt::Key_0);
  EXPECT_EQ(world.laneOf("layer2.0"), 0);
  EXPECT_EQ(world.document.undoStack()->count(), 4);
}

TEST(Board, ControlArrowsMoveTheCutOfTheStage) {
  BoardWorld world;
  world.key(Qt::Key_Home);
  world.key(Qt::Key_Left, Qt::ControlModifier);
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer2.1")));
  world.key(Qt::Key_End);
  world.key(Qt::Key_Right, Qt::ControlModifier);
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer3.0")));
}

TEST(Board, TabLeavesTheBoard) {
  QWidget window;
  SmallWorld world;
  auto* board = new BoardView(&world.document, {}, &window);
  auto* after = new QLineEdit(&window);
  QWidget::setTabOrder(board, after);
  window.show();
  window.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window, 5000));
  board->setFocus();
  for (int i = 0; i < 6 && !after->hasFocus(); ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
  EXPECT_TRUE(after->hasFocus());
}

TEST(Board, WhileReadOnlyNothingMoves) {
  BoardWorld world;
  world.board.setReadOnly(true);
  const Experiment before = world.document.experiment();
  world.drag(world.chip("layer2.1"), world.inLane("layer2.1", 1));
  world.drag(world.pixel(world.board.geometryNow().cuts.front().handle.center()), world.chip("stem"));
  world.key(Qt::Key_Down, Qt::ControlModifier);
  world.key(Qt::Key_1);
  world.key(Qt::Key_Space);
  world.key(Qt::Key_Return);
  world.board.addLane();
  world.board.removeSelectedLane();
  EXPECT_EQ(world.document.experiment(), before);
}

TEST(Board, LanesAreAddedOnFreeDevicesRenamedAndRemoved) {
  BoardWorld world;
  world.board.addLane();
  ASSERT_EQ(world.document.experiment().lanes.size(), 3U);
  EXPECT_EQ(world.document.experiment().lanes[2].device, Device::cpu(2));
  world.board.renameSelectedLane();
  auto* editor = world.board.findChild<QLineEdit*>("laneNameEditor");
  ASSERT_NE(editor, nullptr);
  editor->selectAll();
  QTest::keyClicks(editor, "third");
  QTest::keyClick(editor, Qt::Key_Return);
  EXPECT_EQ(world.document.experiment().lanes[2].name, "third");
  world.board.removeSelectedLane();
  EXPECT_EQ(world.document.experiment().lanes.size(), 2U);
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Board, EscapeLeavesALanesNameAlone) {
  BoardWorld world;
  world.board.renameSelectedLane();
  auto* editor = world.board.findChild<QLineEdit*>("laneNameEditor");
  ASSERT_NE(editor, nullptr);
  QTest::keyClicks(editor, "other");
  QTest::keyClick(editor, Qt::Key_Escape);
  EXPECT_TRUE(world.document.experiment().lanes[0].name.empty());
  EXPECT_EQ(world.document.undoStack()->count(), 0);
}

TEST(Board, TheLaneMenuSetsTheDevice) {
  BoardWorld world;
  auto* header = world.board.findChild<LaneHeader*>("laneHeader1");
  ASSERT_NE(header, nullptr);
  bool seen = false;
  QTimer::singleShot(0, &world.board, [&] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    if (!menu) return;
    for (QAction* action : menu->actions()) {
      if (!action->menu() || !action->text().contains("Device")) continue;
      for (QAction* device : action->menu()->actions()) {
        if (!device->text().startsWith("cpu:2")) continue;
        seen = true;
        device->trigger();
      }
    }
    menu->close();
  });
  QTest::keyClick(header, Qt::Key_Space);
  EXPECT_TRUE(seen);
  EXPECT_EQ(world.document.experiment().lanes[1].device, Device::cpu(2));
}

TEST(Board, ALaneOnAMissingDeviceSaysSo) {
  BoardWorld world;
  world.document.edit("Device", [](Experiment& e) { e.lanes[1].device = Device::cuda(0); });
  const auto* header = world.board.findChild<LaneHeader*>("laneHeader1");
  ASSERT_NE(header, nullptr);
  EXPECT_TRUE(header->accessibleName().contains("not on this machine")) << header->accessibleName().toStdString();
  world.document.edit("Device", [](Experiment& e) { e.lanes[1].device = Device::cpu(99); });
  EXPECT_TRUE(header->accessibleName().contains("shares a core")) << header->accessibleName().toStdString();
}

TEST(Board, AnUndoInMidDragEndsTheDrag) {
  BoardWorld world;
  world.document.edit("Batch", [](Experiment& e) { e.data.batch = 32; });
  world.press(world.chip("layer2.1"));
  QTest::mouseMove(world.board.viewport(), world.inLane("layer2.1", 1));
  world.document.undoStack()->undo();
  world.release(world.inLane("layer2.1", 1));
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
}

TEST(Board, ABlankExperimentSaysWhatIsMissing) {
  ExperimentDocument document;
  BoardView board(&document, {});
  board.resize(600, 200);
  board.show();
  EXPECT_FALSE(board.grab().isNull());
  board.addLane();
  EXPECT_EQ(document.experiment().lanes.size(), 1U);
}

TEST(Board, ShowsEachLanesMemoryAndFollowsTheDrag) {
  BoardWorld world;
  const std::vector<LaneMemory> before = world.board.shownMemory();
  ASSERT_EQ(before.size(), 2u);
  EXPECT_GT(before[0].forecast.at_peak.activations, before[1].forecast.at_peak.activations);
  EXPECT_LT(before[0].forecast.at_peak.parameters, before[1].forecast.at_peak.parameters);
  world.press(world.chip("layer2.1"));
  QTest::mouseMove(world.board.viewport(), world.inLane("layer2.1", 1));
  EXPECT_GT(world.board.shownMemory()[1].forecast.at_peak.parameters, before[1].forecast.at_peak.parameters);
  world.key(Qt::Key_Escape);
  EXPECT_EQ(world.board.shownMemory()[1].forecast.at_peak, before[1].forecast.at_peak);
}

TEST(Board, MarksTheMeasuredPeakUntilTheExperimentIsEdited) {
  BoardWorld world;
  auto run = std::make_shared<RunRecord>();
  run->experiment = world.document.experiment();
  run->variants.resize(2);
  run->variants[1].name = "Pipeline";
  run->variants[1].lanes = {{"left", "cpu:0", 0, 0, 0, 1234}, {"right", "cpu:1", 0, 0, 0, 567}};
  world.board.showRun(run);
  EXPECT_EQ(world.board.shownMemory()[1].measured, 567);
  EXPECT_TRUE(memoryTip("right", world.board.shownMemory()[1], 1).contains("567 B"));
  world.document.edit("steps", [](Experiment& e) { e.data.steps += 1; });
  EXPECT_EQ(world.board.shownMemory()[1].measured, 0);
}

TEST(Board, SaysWhereMemoryIsTooSmall) {
  SmallWorld small;
  BoardView board(&small.document, {{Device::cpu(0), "core 0", 1 << 20}, {Device::cpu(1), "core 1", 1 << 20}});
  const std::vector<LaneMemory> lanes = board.shownMemory();
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_FALSE(lanes[0].use.fits());
  const QString tip = memoryTip("left", lanes[0], wholeBar(lanes));
  EXPECT_TRUE(tip.contains("Too much")) << tip.toStdString();
  EXPECT_TRUE(board.findChild<QWidget*>("laneShares")->accessibleDescription().contains("more than is free"));
}

TEST(LaneMemoryBar, StandsForWhatIsThereWhereThatIsNear) {
  LaneMemory lane;
  lane.forecast.at_peak.activations = 100;
  lane.use = {"system memory", 100, 300};
  EXPECT_EQ(wholeBar({lane}), 300);
  lane.use.there = 1000;
  EXPECT_EQ(wholeBar({lane}), 100) << "a bar of a tenth says nothing of its parts";
  lane.use.there = 50;
  EXPECT_EQ(wholeBar({lane}), 50);
}

LaneMemory laneWith(std::int64_t activations, std::int64_t limit, std::int64_t there = 0) {
  LaneMemory lane;
  lane.forecast.at_peak.activations = activations;
  lane.use = {"system memory", activations, there};
  lane.limit = limit;
  return lane;
}

TEST(LaneMemoryBar, HoldsTheLargestLimitNearTheFullestLane) {
  struct Row {
    std::int64_t first_limit, second_limit, whole;
  };
  for (const Row& row : {Row{0, 0, 100}, Row{0, 60, 100}, Row{150, 300, 300}, Row{0, 400, 400}, Row{0, 401, 100},
                         Row{300, 100000, 300}, Row{100000, 150, 150}})
    EXPECT_EQ(wholeBar({laneWith(100, row.first_limit), laneWith(10, row.second_limit)}), row.whole)
        << row.first_limit << ", " << row.second_limit;
}

TEST(LaneMemoryBar, TheTipNamesTheDottedLineOnlyWhereOneIsDrawn) {
  EXPECT_TRUE(memoryTip("left", laneWith(100, 300), 300).contains("300 B (the dotted line)"));
  const QString beyond = memoryTip("left", laneWith(100, 301), 300);
  EXPECT_TRUE(beyond.contains("Memory limit of the lane: 301 B")) << beyond.toStdString();
  EXPECT_FALSE(beyond.contains("dotted")) << beyond.toStdString();
}

TEST(LaneMemoryWords, SayEachExcess) {
  EXPECT_EQ(excessWords(laneWith(100, 200, 200)), "");
  EXPECT_EQ(excessWords(laneWith(100, 50, 200)), ", above its limit");
  EXPECT_EQ(excessWords(laneWith(100, 200, 50)), ", more than is free");
  EXPECT_EQ(excessWords(laneWith(100, 50, 50)), ", above its limit, more than is free");
}

TEST(Board, ThePredictionSaysEachExcess) {
  SmallWorld small;
  BoardView board(&small.document, {{Device::cpu(0), "core 0", 1 << 20}, {Device::cpu(1), "core 1", 1 << 20}});
  const std::vector<LaneMemory> lanes = board.shownMemory();
  const std::size_t lower = lanes[0].forecast.at_peak.total() < lanes[1].forecast.at_peak.total() ? 0 : 1;
  small.document.edit("limit", [&](Experiment& e) { e.lanes[lower].memory_limit_mib = 1; });
  const QString of_other = QString(" on cpu:%1, more than is free, cpu:%2 above its limit").arg(1 - lower).arg(lower);
  const auto* const strip = board.findChild<PlacementStrip*>();
  EXPECT_TRUE(strip->prediction().contains(of_other)) << strip->prediction().toStdString();
  small.document.edit("limit", [&](Experiment& e) { e.lanes[1 - lower].memory_limit_mib = 1; });
  const QString of_highest = QString(" on cpu:%1, above its limit, more than is free").arg(1 - lower);
  EXPECT_TRUE(strip->prediction().contains(of_highest)) << strip->prediction().toStdString();
}

TEST(LaneMenu, TheLimitFieldTakesWhatTheSchemaTakesAndWritesOnlyAChange) {
  struct Row {
    std::optional<double> before;
    std::optional<double> typed;
    double after;
  };
  for (const Row& row : {Row{6144.5555, {}, 6144.5555}, Row{0.01, {}, 0.01}, Row{2e9, {}, 2e9}, Row{{}, {}, 1024},
                         Row{6144.5555, 6144.5, 6144.5}, Row{64, 0.001, kLeastLimitMib}}) {
    SmallWorld small;
    small.document.edit("limit", [&](Experiment& e) { e.lanes[0].memory_limit_mib = row.before; });
    const bool changes = row.before != row.after;
    const int steps = small.document.undoStack()->count();
    BoardState state(small.document, {});
    BoardLaneActions actions(state);
    QWidget parent;
    QMenu menu(&parent);
    actions.fillMenu(menu, 0);
    auto* const limit = menu.findChild<QMenu*>("memoryLimitMenu");
    limit->actions().back()->trigger();
    auto* const dialog = parent.findChild<QInputDialog*>("memoryLimitDialog");
    ASSERT_NE(dialog, nullptr);
    if (row.typed) dialog->setDoubleValue(*row.typed);
    dialog->accept();
    EXPECT_EQ(small.document.experiment().lanes[0].memory_limit_mib, std::optional(row.after));
    EXPECT_EQ(small.document.undoStack()->count(), steps + (changes ? 1 : 0)) << row.after;
  }
}

}  // namespace
}  // namespace lanelab
