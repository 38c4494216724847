// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/experiment_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <random>

#include "engine/experiment/edits/lane_edits.h"
#include "engine/experiment/edits/network_edits.h"
#include "engine/experiment/edits/placement_edits.h"
#include "tests/gui/board/small_world.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

Placement allOn(const ExperimentDocument& document, int lane) {
  return Placement{std::vector<LaneId>(document.model().blocks.size(), LaneId(lane))};
}

TEST(Document, PlacementIsWrittenAsCutsWhereThatSaysTheSame) {
  SmallWorld world;
  Placement placement = world.document.activePlacement();
  placement.lane_of_block[world.document.model().find("layer2.1")->index()] = LaneId(1);
  world.document.setPlacement("Move", placement);
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer2.1")));
  EXPECT_FALSE(world.variant().placement.has_value());
}

TEST(Document, PlacementIsWrittenBlockByBlockWhereLanesComeBack) {
  SmallWorld world;
  Placement placement = world.document.activePlacement();
  placement.lane_of_block.back() = LaneId(0);
  world.document.setPlacement("Move", placement);
  EXPECT_FALSE(world.variant().cuts.has_value());
  ASSERT_TRUE(world.variant().placement.has_value());
  EXPECT_EQ(world.variant().placement->at("head"), 0);
  EXPECT_EQ(world.document.activePlacement(), placement);
  ASSERT_NE(world.document.activePlan(), nullptr);
  EXPECT_EQ(world.document.activePlan()->stages.size(), 3U);
}

TEST(Document, TheKeptPlanFollowsEditsUndoAndTheActiveVariant) {
  SmallWorld world;
  const int micro_batches = world.document.activePlan()->schedule.micro_batches;
  world.document.edit("split", [&](Experiment& e) {
    e.variants[static_cast<std::size_t>(world.document.activeVariant())].split_size = 1;
  });
  EXPECT_EQ(world.document.activePlan()->schedule.micro_batches, world.document.experiment().data.batch);
  world.document.undoStack()->undo();
  EXPECT_EQ(world.document.activePlan()->schedule.micro_batches, micro_batches);
  world.document.setActiveVariant(0);
  EXPECT_EQ(world.document.activePlan()->stages.size(), 1U);
}

TEST(Document, ASingleVariantThatIsSpreadBecomesAPipelineAndSaysSo) {
  SmallWorld world;
  world.document.setActiveVariant(0);
  const QSignalSpy said(&world.document, &ExperimentDocument::noticed);
  Placement placement = world.document.activePlacement();
  placement.lane_of_block.back() = LaneId(1);
  world.document.setPlacement("Move", placement);
  EXPECT_EQ(world.variant().strategy, Strategy::Pipeline);
  EXPECT_EQ(world.variant().schedule, ScheduleKind::Gpipe);
  EXPECT_THAT(world.variant().split_size, Optional(4));
  EXPECT_EQ(said.size(), 1);
  EXPECT_TRUE(world.document.problems().empty());
  world.document.undoStack()->undo();
  EXPECT_EQ(world.variant().strategy, Strategy::Single);
}

TEST(Document, ASingleVariantMovedWholeStaysSingle) {
  SmallWorld world;
  world.document.setActiveVariant(0);
  world.document.setPlacement("Move", allOn(world.document, 1));
  EXPECT_EQ(world.variant().strategy, Strategy::Single);
  EXPECT_THAT(world.variant().lanes, Optional(ElementsAre(1)));
}

TEST(Document, EditsWithOneKeyAreOneStep) {
  SmallWorld world;
  for (const int split : {5, 6, 8})
    world.document.edit(
        "Split size", [&](Experiment& e) { e.variants[1].split_size = split; }, "split");
  EXPECT_EQ(world.document.undoStack()->count(), 1);
  world.document.undoStack()->undo();
  EXPECT_THAT(world.document.experiment().variants[1].split_size, Optional(4));
}

TEST(Document, EditsThatEndWhereTheyBeganLeaveNoStep) {
  SmallWorld world;
  world.document.edit(
      "Split size", [](Experiment& e) { e.variants[1].split_size = 8; }, "split");
  world.document.edit(
      "Split size", [](Experiment& e) { e.variants[1].split_size = 4; }, "split");
  EXPECT_EQ(world.document.undoStack()->count(), 0);
  world.document.edit("Nothing", [](Experiment&) {});
  EXPECT_EQ(world.document.undoStack()->count(), 0);
}

TEST(Document, CutsFollowAChangeOfTheNetworkInTheSameStep) {
  SmallWorld world;
  world.document.edit("Network", [](Experiment& e) { setArchitecture(e, "resnet50"); });
  world.document.edit("Cut", [](Experiment& e) { e.variants[1].cuts = std::vector<std::string>{"layer3.5"}; });
  ASSERT_TRUE(world.document.problems().empty());
  world.document.edit("Network", [](Experiment& e) { setArchitecture(e, "resnet18"); });
  EXPECT_TRUE(world.document.problems().empty());
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer4.0")));
  world.document.undoStack()->undo();
  EXPECT_THAT(world.variant().cuts, Optional(ElementsAre("layer3.5")));
}

TEST(Document, TheToyAndBackStayLegal) {
  SmallWorld world;
  for (const char* arch : {"toy", "resnet34", "toy"}) {
    world.document.edit("Network", [arch](Experiment& e) { setArchitecture(e, arch); });
    EXPECT_TRUE(world.document.problems().empty()) << arch << ": " << world.document.problems().front().message;
  }
}

TEST(Document, ABadImageSizeKeepsTheLastGoodModelAndSaysWhy) {
  SmallWorld world;
  const std::size_t blocks = world.document.model().blocks.size();
  world.document.edit("Image size", [](Experiment& e) { e.data.shape = {3, 0, 0}; });
  EXPECT_EQ(world.document.model().blocks.size(), blocks);
  EXPECT_FALSE(world.document.problems().empty());
  EXPECT_EQ(world.document.activePlan(), nullptr);
}

TEST(Document, BlocksOfARemovedLaneGoToItsNeighbour) {
  SmallWorld world;
  const Experiment before = world.document.experiment();
  world.document.edit("Remove", [&](Experiment& e) { removeLane(e, world.document.model(), LaneId(0)); });
  EXPECT_EQ(world.document.experiment().lanes.size(), 1U);
  EXPECT_EQ(world.document.experiment().lanes[0].device, Device::cpu(1));
  EXPECT_EQ(world.document.activePlacement(), allOn(world.document, 0));
  EXPECT_TRUE(world.document.problems().empty());
  world.document.undoStack()->undo();
  EXPECT_EQ(world.document.experiment(), before);
}

TEST(Document, APipelineMadeFromSingleIsBalanced) {
  SmallWorld world;
  world.document.setActiveVariant(0);
  world.document.edit(
      "Strategy", [&](Experiment& e) { setStrategy(e, world.document.model(), Strategy::Pipeline, e.variants[0]); });
  const std::vector<Stage> stages = stagesOf(world.document.activePlacement());
  ASSERT_EQ(stages.size(), 2U);
  const double all = static_cast<double>(world.document.model().macs());
  EXPECT_NEAR(static_cast<double>(costOf(world.document.model(), stages[0]).macs) / all, 0.5, 0.1);
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Document, TypingThatIsNoValueIsAProblemUntilTakenBack) {
  SmallWorld world;
  world.document.setTyping("data.batch", "no number");
  EXPECT_EQ(world.document.problemAt("data.batch"), "no number");
  world.document.setTyping("data.batch", {});
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(Document, SavesWhatItHoldsAndIsCleanThen) {
  SmallWorld world;
  const QTemporaryDir folder;
  world.document.edit("Batch", [](Experiment& e) { e.data.batch = 20; });
  EXPECT_FALSE(world.document.undoStack()->isClean());
  ASSERT_TRUE(world.document.save(folder.filePath("a.json")).ok());
  EXPECT_TRUE(world.document.undoStack()->isClean());
  const auto read = readExperiment(folder.filePath("a.json").toStdString());
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, world.document.experiment());
  const Status refused = world.document.save(folder.filePath("no/such/folder/a.json"));
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(world.document.path(), folder.filePath("a.json"));
}

/// One of the edits that board, table and form make, by chance.
void editAtRandom(ExperimentDocument& document, std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(std::max(1, n))); };
  const int lanes = static_cast<int>(document.experiment().lanes.size());
  const Strategy strategies[] = {Strategy::Single, Strategy::ModelParallel, Strategy::Pipeline};
  switch (below(10)) {
    case 0: document.edit("Add lane", [](Experiment& e) { addLane(e, Device::cpu(1)); }); break;
    case 1:
      document.edit("Remove lane", [&](Experiment& e) { removeLane(e, document.model(), LaneId(below(lanes))); });
      break;
    case 2:
      document.edit("Network", [&](Experiment& e) {
        setArchitecture(e, knownArchitectures()[static_cast<std::size_t>(below(6))]);
      });
      break;
    case 3: document.setActiveVariant(below(3)); [[fallthrough]];
    case 4:
      document.edit(
          "Split size",
          [&](Experiment& e) {
            if (e.variants[0].strategy == Strategy::Pipeline) e.variants[0].split_size = 1 + below(16);
          },
          "split");
      break;
    case 5:
      document.edit("Strategy",
                    [&](Experiment& e) { setStrategy(e, document.model(), strategies[below(3)], e.variants.back()); });
      break;
    case 6:
      document.edit("Schedule", [&](Experiment& e) {
        if (e.variants.back().strategy == Strategy::Pipeline) e.variants.back().schedule = ScheduleKind::OneFOneB;
      });
      break;
    default: {
      Placement placement = document.activePlacement();
      for (int i = 0; i < 3; ++i)
        placement.lane_of_block[static_cast<std::size_t>(below(static_cast<int>(placement.lane_of_block.size())))] =
            LaneId(below(lanes));
      document.setPlacement("Move", placement);
    }
  }
}

TEST(Document, FiftyEditsFiftyUndosFiftyRedosEndWhereTheyWere) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SmallWorld world;
    std::mt19937 random(seed);
    const std::string first = toJson(world.document.experiment());
    int tries = 0;
    while (world.document.undoStack()->count() < 50 && ++tries < 1000) {
      editAtRandom(world.document, random);
      ASSERT_TRUE(world.document.problems().empty())
          << world.document.problems().front().where << ": " << world.document.problems().front().message;
      ASSERT_NE(world.document.activePlan(), nullptr);
      ASSERT_EQ(world.document.activePlan()->placement, world.document.activePlacement());
    }
    ASSERT_EQ(world.document.undoStack()->count(), 50);
    const std::string last = toJson(world.document.experiment());
    ASSERT_NE(first, last);
    for (int i = 0; i < 50; ++i) world.document.undoStack()->undo();
    EXPECT_EQ(toJson(world.document.experiment()), first);
    for (int i = 0; i < 50; ++i) world.document.undoStack()->redo();
    EXPECT_EQ(toJson(world.document.experiment()), last);
  }
}

}  // namespace
}  // namespace lanelab
