// SPDX-License-Identifier: GPL-3.0-only
// Cuts, balance and the prediction of the placement that a drag would give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/gui/board/small_world.h"
#include "ui/board/board_view.h"
#include "ui/board/lane_memory.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

TEST(MemoryKey, NamesThePartsThatTheBarsHave) {
  LaneMemory lane;
  lane.forecast.at_peak.parameters = 10;
  lane.forecast.at_peak.activations = 5;
  const std::vector<MemoryKey> key = memoryKey({lane, LaneMemory()});
  ASSERT_EQ(key.size(), 2U);
  EXPECT_EQ(key[0].name, "weights and buffers");
  EXPECT_EQ(key[1].color, look::current().forward);
  EXPECT_TRUE(memoryKey({}).empty());
}

using ::testing::ElementsAre;
using ::testing::Optional;

std::vector<DeviceInfo> threeCores() {
  return {{Device::cpu(0), "core 0"}, {Device::cpu(1), "core 1"}, {Device::cpu(2), "core 2"}};
}

struct PlacingWorld : SmallWorld {
  PlacingWorld() : board(&document, threeCores()) {
    board.resize(1100, 300);
    board.show();
    board.activateWindow();
    board.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&board, 5000));
  }
  BlockId block(const char* name) const { return *document.model().find(name); }
  QPoint pixel(QPointF scene) const { return board.mapFromScene(scene); }
  QPoint chip(const char* name) const { return pixel(board.geometryNow().chips[block(name).index()].rect.center()); }
  QPoint before(const char* name) const {
    return pixel(board.geometryNow().chips[block(name).index()].rect.topLeft() + QPointF(0, 5));
  }
  QPoint inLane(const char* name, int lane) const {
    const BoardGeometry& geometry = board.geometryNow();
    return pixel({geometry.chips[block(name).index()].rect.center().x(),
                  geometry.rows[static_cast<std::size_t>(lane)].band.center().y()});
  }
  void press(QPoint at) { QTest::mousePress(board.viewport(), Qt::LeftButton, {}, at); }
  void moveTo(QPoint at) { QTest::mouseMove(board.viewport(), at); }
  void release(QPoint at) { QTest::mouseRelease(board.viewport(), Qt::LeftButton, {}, at); }
  void select(const char* name) {
    press(chip(name));
    release(chip(name));
  }
  void key(Qt::Key which) { QTest::keyClick(&board, which); }
  QString prediction() const { return strip().prediction(); }
  QString warning() const { return strip().warning(); }
  const PlacementStrip& strip() const { return *board.findChild<PlacementStrip*>(); }
  BoardView board;
};

TEST(Placing, AMoveThatChangesThePlacementIsOnePredictionAndAnotherIsNone) {
  PlacingWorld world;
  const QPoint from = world.chip("layer2.1"), to = world.inLane("layer2.1", 1);
  world.press(from);
  const int before = world.board.forecast().predictions();
  world.moveTo(to);
  EXPECT_EQ(world.board.forecast().predictions(), before + 1);
  world.moveTo(to + QPoint(3, 1));
  world.moveTo(to + QPoint(5, 2));
  EXPECT_EQ(world.board.forecast().predictions(), before + 1) << "the block would drop on the same lane";
  world.moveTo(from);
  EXPECT_EQ(world.board.forecast().predictions(), before + 2);
  world.key(Qt::Key_Escape);
  EXPECT_EQ(world.board.forecast().predictions(), before + 2) << "what was there before is known";
}

TEST(Placing, ADragShowsThePredictedStepWithItsOriginAndEscapeRestoresIt) {
  PlacingWorld world;
  const QString before = world.prediction();
  EXPECT_TRUE(before.startsWith("Predicted: step ")) << before.toStdString();
  EXPECT_TRUE(before.contains("bubble ")) << before.toStdString();
  EXPECT_TRUE(before.contains("peak ")) << before.toStdString();
  EXPECT_TRUE(before.endsWith("(estimated from MACs)")) << before.toStdString();
  world.press(world.chip("layer2.1"));
  world.moveTo(world.inLane("layer2.1", 1));
  EXPECT_TRUE(world.prediction().contains(" than now)")) << world.prediction().toStdString();
  world.key(Qt::Key_Escape);
  EXPECT_EQ(world.prediction(), before);
}

TEST(Placing, RecordedBlockTimesTakeThePlaceOfTheEstimate) {
  PlacingWorld world;
  const double estimate = world.board.forecast().present()->step_seconds;
  world.board.setBlockTimes([model = world.document.model()](const Resolution& edited, const TrainingModes&) {
    BlockTimes times = estimatedBlockTimes(edited.experiment(), model);
    for (BlockTiming& block : times.profiles.profiles.front().sizes.front().blocks)
      block.forward.median *= 10, block.backward.median *= 10;
    times.origin = BlockTimes::Origin::Recorded;
    times.day = "2026-11-22";
    return std::optional(times);
  });
  ASSERT_TRUE(QTest::qWaitFor([&] { return world.prediction().endsWith("(from block times of 2026-11-22)"); }, 5000))
      << world.prediction().toStdString();
  EXPECT_GT(world.board.forecast().present()->step_seconds, 5 * estimate);
}

TEST(Placing, AMemoryLimitKeepsTheBlockTimes) {
  PlacingWorld world;
  world.board.setBlockTimes([model = world.document.model()](const Resolution& edited, const TrainingModes&) {
    BlockTimes times = estimatedBlockTimes(edited.experiment(), model);
    times.origin = BlockTimes::Origin::Recorded;
    times.day = "2026-11-22";
    return std::optional(times);
  });
  const QString recorded = "(from block times of 2026-11-22)";
  ASSERT_TRUE(QTest::qWaitFor([&] { return world.prediction().endsWith(recorded); }, 5000));
  QSignalSpy others(&world.board.forecast(), &PlacementForecast::timesChanged);
  world.document.edit("limit", [](Experiment& e) { e.lanes[0].memory_limit_mib = 4096; });
  EXPECT_TRUE(world.prediction().endsWith(recorded)) << world.prediction().toStdString();
  EXPECT_EQ(others.count(), 0);
  world.document.edit("threads", [](Experiment& e) { e.lanes[0].threads = 2; });
  EXPECT_GT(others.count(), 0);
}

TEST(Placing, AVariantThatCannotRunHasNoPrediction) {
  PlacingWorld world;
  world.document.edit("Split size", [](Experiment& e) { e.variants[1].split_size = 1000; });
  EXPECT_FALSE(world.board.forecast().present());
  EXPECT_EQ(world.prediction(), "No prediction: this placement cannot run.");
}

TEST(Placing, MoreLanesThanCoresWarnWhenTheLaneIsAddedOrItsThreadsChange) {
  PlacingWorld world;
  world.board.addLane();
  EXPECT_EQ(world.warning(), "") << "three lanes on three cores";
  world.board.addLane();
  EXPECT_EQ(world.warning(), "4 lanes share 3 CPU cores, so timings are not meaningful. Use at most 3 lanes.");
  world.board.removeSelectedLane();
  EXPECT_EQ(world.warning(), "");
  world.document.edit("Threads", [](Experiment& e) { e.lanes[0].threads = 4; });
  EXPECT_TRUE(world.warning().startsWith("3 lanes with 6 threads share 3 CPU cores")) << world.warning().toStdString();
}

TEST(Placing, CBeginsAStageWithTheBlockOnTheEmptyLane) {
  PlacingWorld world;
  world.document.setActiveVariant(0);
  world.document.edit("Lanes", [](Experiment& e) { e.variants[0].lanes.reset(); });
  world.select("layer3.0");
  world.key(Qt::Key_C);
  EXPECT_EQ(world.laneOf("layer2.1"), 0);
  EXPECT_EQ(world.laneOf("layer3.0"), 1);
  EXPECT_EQ(world.laneOf("head"), 1);
  EXPECT_EQ(stagesOf(world.document.activePlacement()).size(), 2U);
  EXPECT_EQ(world.document.undoStack()->undoText(), "Cut Before Block");
}

TEST(Placing, CSaysWhyThereIsNothingToCut) {
  PlacingWorld world;
  QSignalSpy said(&world.board, &BoardView::noticed);
  world.select("layer3.0");
  const Experiment before = world.document.experiment();
  world.key(Qt::Key_C);
  EXPECT_EQ(world.document.experiment(), before);
  ASSERT_EQ(said.size(), 1);
  EXPECT_EQ(said[0][0].toString(), "A stage begins with this block already. Choose another block.");
}

TEST(Placing, TheHandleOfAnEmptyLaneMakesTheNextStage) {
  PlacingWorld world;
  world.board.addLane();
  ASSERT_EQ(world.board.geometryNow().grips.size(), 1U);
  const QPoint from = world.pixel(world.board.geometryNow().grips[0].handle.center());
  const QPoint to(world.before("layer4.0").x(), from.y());
  world.press(from);
  world.moveTo((from + to) / 2);
  world.moveTo(to);
  EXPECT_EQ(world.laneOf("layer4.0"), 1) << "not dropped yet";
  world.release(to);
  EXPECT_EQ(world.laneOf("layer3.1"), 1);
  EXPECT_EQ(world.laneOf("layer4.0"), 2);
  EXPECT_EQ(world.laneOf("head"), 2);
  EXPECT_EQ(stagesOf(world.document.activePlacement()).size(), 3U);
  EXPECT_TRUE(world.board.geometryNow().grips.empty());
  world.document.undoStack()->undo();
  EXPECT_EQ(stagesOf(world.document.activePlacement()).size(), 2U);
}

TEST(Placing, BalanceCutsWhereTheStepIsPredictedFastestAndSaysSoTheSecondTime) {
  PlacingWorld world;
  world.document.edit("Cut", [](Experiment& e) { e.variants[1].cuts = std::vector<std::string>{"layer1.0"}; });
  const double before = world.board.forecast().present()->step_seconds;
  QSignalSpy said(&world.board, &BoardView::noticed);
  world.key(Qt::Key_B);
  ASSERT_TRUE(QTest::qWaitFor([&] { return world.document.undoStack()->undoText() == "Balance Stages"; }, 5000));
  EXPECT_LT(world.board.forecast().present()->step_seconds, before);
  EXPECT_EQ(stagesOf(world.document.activePlacement()).size(), 2U);
  EXPECT_TRUE(said.isEmpty());
  world.key(Qt::Key_B);
  ASSERT_TRUE(QTest::qWaitFor([&] { return said.size() == 1; }, 5000));
  EXPECT_EQ(said[0][0].toString(), "The stages are balanced already.");
}

TEST(Placing, AnEditWhileStagesAreBalancedIsNotOverwritten) {
  PlacingWorld world;
  world.document.edit("Cut", [](Experiment& e) { e.variants[1].cuts = std::vector<std::string>{"layer1.0"}; });
  world.key(Qt::Key_B);
  world.document.edit("Cut again", [](Experiment& e) { e.variants[1].cuts = std::vector<std::string>{"layer1.1"}; });
  world.key(Qt::Key_B);  // the latest question is answered
  ASSERT_TRUE(QTest::qWaitFor([&] { return world.document.undoStack()->undoText() == "Balance Stages"; }, 5000));
  world.document.undoStack()->undo();
  EXPECT_EQ(world.document.experiment().variants[1].cuts, std::vector<std::string>{"layer1.1"});
}

TEST(Placing, AStepOfManyActionsIsPredictedWhileTheWindowAnswers) {
  PlacingWorld world;
  world.document.edit("Many", [](Experiment& e) {
    e.data.batch = 2048;
    e.variants[1].split_size = 1;
  });
  EXPECT_EQ(world.prediction(), "Predicting the step time...");
  EXPECT_FALSE(world.board.forecast().present());
  ASSERT_TRUE(QTest::qWaitFor([&] { return world.prediction().startsWith("Predicted: step "); }, 5000))
      << world.prediction().toStdString();
  EXPECT_FALSE(world.board.forecast().predicting());
  world.document.edit("Many more", [](Experiment& e) { e.data.batch = 4096; });
  world.document.edit("Few", [](Experiment& e) { e.data.batch = 8; });
  EXPECT_TRUE(world.prediction().startsWith("Predicted: step ")) << "what was asked before does not count";
}

TEST(Placing, WhileReadOnlyThereAreNoHandlesAndNoCuts) {
  PlacingWorld world;
  world.board.addLane();
  world.board.setReadOnly(true);
  EXPECT_TRUE(world.board.geometryNow().grips.empty());
  const Experiment before = world.document.experiment();
  world.key(Qt::Key_C);
  world.key(Qt::Key_B);
  EXPECT_EQ(world.document.experiment(), before);
}

TEST(Placing, ACostThatIsThereIsNeverNoPercent) {
  EXPECT_EQ(costShareText(0), "0 %");
  EXPECT_EQ(costShareText(0.002), "< 1 %");
  EXPECT_EQ(costShareText(0.374), "37 %");
}

TEST(Placing, LanesBeginWhereThoseOfTheTimelineDo) {
  PlacingWorld world;
  EXPECT_EQ(world.board.viewport()->x(), look::kLaneColumn);
}

TEST(Placing, ANarrowBoardLeavesMoreRoomToItsLanes) {
  PlacingWorld world;
  const int wide = world.board.width() - world.board.viewport()->width();
  world.board.resize(700, 300);
  EXPECT_LT(world.board.width() - world.board.viewport()->width(), wide);
}

Placement placed(const std::vector<int>& lanes) {
  Placement placement;
  for (const int lane : lanes) placement.lane_of_block.emplace_back(lane);
  return placement;
}

TEST(CutBefore, TakesTheEmptyLaneAfterTheBlocksOwn) {
  EXPECT_THAT(withCutBefore(placed({0, 0, 0, 0}), BlockId(2), 3), Optional(placed({0, 0, 1, 1})));
  EXPECT_THAT(withCutBefore(placed({0, 0, 1, 1}), BlockId(3), 3), Optional(placed({0, 0, 1, 2})));
  EXPECT_THAT(withCutBefore(placed({0, 0, 1, 1}), BlockId(1), 3), Optional(placed({0, 2, 1, 1})));
}

TEST(CutBefore, WithoutAnEmptyLaneTheRestJoinsTheNextStage) {
  EXPECT_THAT(withCutBefore(placed({0, 0, 1, 1}), BlockId(1), 2), Optional(placed({0, 1, 1, 1})));
}

TEST(CutBefore, AStageThatBeginsThereIsLeftAlone) {
  EXPECT_EQ(withCutBefore(placed({0, 0, 1, 1}), BlockId(2), 3), std::nullopt);
  EXPECT_EQ(withCutBefore(placed({0, 0}), BlockId(0), 3), std::nullopt);
  EXPECT_EQ(withCutBefore(placed({0, 0}), BlockId(1), 1), std::nullopt);
}

}  // namespace
}  // namespace lanelab
