// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace lanelab {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;

ModelSpec fourBlocks() {
  ModelSpec model;
  for (const std::int64_t macs : {10, 40, 30, 20}) {
    BlockSpec block;
    block.name = "b" + std::to_string(model.blocks.size());
    block.macs = macs;
    block.parameters = 5;
    block.parameter_bytes = 20;
    block.activation_bytes = 100;
    block.output_bytes = 1000 * static_cast<std::int64_t>(model.blocks.size() + 1);
    model.blocks.push_back(block);
  }
  return model;
}

Placement on(std::vector<int> lanes) {
  Placement placement;
  for (const int lane : lanes) placement.lane_of_block.emplace_back(lane);
  return placement;
}

BoardGeometry layOut(const ModelSpec& model, const Placement& placement, QSizeF view = {816, 200}, int lanes = 2) {
  return layoutBoard({model, placement, lanes, ChipCost::Macs, 4, view, {}});
}

TEST(BoardLayout, ChipsAreAsWideAsTheirCost) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 0, 1, 1}));
  ASSERT_EQ(geometry.chips.size(), 4U);
  EXPECT_NEAR(geometry.chips[0].rect.width() + 2, 80, 0.01);
  EXPECT_NEAR(geometry.chips[1].rect.width() + 2, 320, 0.01);
  EXPECT_EQ(geometry.size.width(), 816);
}

TEST(BoardLayout, NarrowChipsKeepTheirMinimumAndTheRestShares) {
  const std::vector<qreal> widths = chipWidths({1, 1, 500, 498}, 200, {30, 30, 30, 30});
  EXPECT_THAT(widths, Each(Ge(30)));
  EXPECT_NEAR(std::accumulate(widths.begin(), widths.end(), 0.0), 200, 1e-9);
}

TEST(BoardLayout, MoreChipsThanFitMakeTheBoardWiderThanTheView) {
  EXPECT_THAT(chipWidths({1, 2, 3}, 50, {30, 30, 30}), Each(30));
  const ModelSpec model = fourBlocks();
  EXPECT_GT(layOut(model, on({0, 0, 1, 1}), {90, 200}).size.width(), 90);
}

TEST(BoardLayout, XDoesNotDependOnThePlacement) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry a = layOut(model, on({0, 0, 1, 1}));
  const BoardGeometry b = layOut(model, on({1, 0, 1, 0}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(a.chips[i].rect.left(), b.chips[i].rect.left());
}

TEST(BoardLayout, ACutCarriesTheOutputOfTheBlockBeforeItForAMicroBatch) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 0, 1, 1}));
  ASSERT_EQ(geometry.cuts.size(), 1U);
  EXPECT_EQ(geometry.cuts[0].first, BlockId(2));
  EXPECT_EQ(geometry.cuts[0].bytes, 2000 * 4);
  EXPECT_EQ(geometry.cuts[0].from, LaneId(0));
  EXPECT_EQ(geometry.cuts[0].to, LaneId(1));
}

TEST(BoardLayout, SharesOfTheLanesAddUpToAll) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 0, 1, 1}));
  EXPECT_DOUBLE_EQ(geometry.rows[0].share, 0.5);
  EXPECT_DOUBLE_EQ(geometry.rows[0].share + geometry.rows[1].share, 1);
}

TEST(BoardLayout, LabelsThatWouldTouchBecomeGrips) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 1, 0, 1}), {160, 200});
  ASSERT_EQ(geometry.cuts.size(), 3U);
  EXPECT_TRUE(geometry.cuts[0].labelled);
  EXPECT_FALSE(geometry.cuts[1].labelled);
  EXPECT_LT(geometry.cuts[1].handle.width(), geometry.cuts[0].handle.width());
}

TEST(BoardLayout, ManyLanesKeepReadableRowsAndScroll) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 1, 2, 7}), {800, 200}, 8);
  EXPECT_GE(geometry.rows[0].band.height(), 34);
  EXPECT_GT(geometry.size.height(), 200);
}

TEST(BoardHits, PointsFindChipsCutsAndLanes) {
  const ModelSpec model = fourBlocks();
  const BoardGeometry geometry = layOut(model, on({0, 0, 1, 1}));
  EXPECT_EQ(chipAt(geometry, geometry.chips[2].rect.center()), BlockId(2));
  EXPECT_FALSE(
      chipAt(geometry, QPointF(geometry.chips[2].rect.center().x(), geometry.rows[0].band.center().y())).has_value());
  EXPECT_EQ(cutAt(geometry, geometry.cuts[0].handle.center()), std::size_t{0});
  EXPECT_EQ(laneAt(geometry, -50), LaneId(0));
  EXPECT_EQ(laneAt(geometry, 5000), LaneId(1));
  EXPECT_THAT(chipsIn(geometry, geometry.rows[0].band), ElementsAre(BlockId(0), BlockId(1)));
}

TEST(BoardDrops, BlocksGoWhereTheyAreDropped) {
  EXPECT_EQ(withBlocksOn(on({0, 0, 1, 1}), {BlockId(0), BlockId(2)}, LaneId(3)), on({3, 0, 3, 1}));
}

TEST(BoardDrops, ACutMovesBothWaysButLeavesEachStageABlock) {
  const Placement placement = on({0, 0, 1, 1});
  EXPECT_EQ(withCutMoved(placement, BlockId(2), BlockId(1)), on({0, 1, 1, 1}));
  EXPECT_EQ(withCutMoved(placement, BlockId(2), BlockId(3)), on({0, 0, 0, 1}));
  EXPECT_EQ(cutRange(placement, BlockId(2)).lowest, BlockId(1));
  EXPECT_EQ(cutRange(placement, BlockId(2)).highest, BlockId(3));
  const BoardGeometry geometry = layOut(fourBlocks(), placement);
  EXPECT_EQ(boundaryNear(geometry, -100, cutRange(placement, BlockId(2))), BlockId(1));
  EXPECT_EQ(boundaryNear(geometry, 9999, cutRange(placement, BlockId(2))), BlockId(3));
}

TEST(BoardCosts, MemoryCountsParametersAndOneMicroBatch) {
  EXPECT_EQ(blockCosts(fourBlocks(), ChipCost::Memory, 4).front(), 20 + 4 * 100);
}

}  // namespace
}  // namespace lanelab
