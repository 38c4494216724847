// SPDX-License-Identifier: GPL-3.0-only
// DataParallel and DDP in the form, on the board and in the pane of stages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "engine/experiment/edits/lane_edits.h"
#include "tests/gui/board/small_world.h"
#include "ui/board/board_view.h"
#include "ui/board/layer_table.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/form_fields.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Four lanes, so that a replica may have one or two.
struct ReplicaFormWorld : SmallWorld {
  ReplicaFormWorld() {
    for (const Device device : {Device::cpu(2), Device::cpu(3)})
      document.edit(QStringLiteral("lane"), [&](Experiment& e) { addLane(e, device); });
    document.undoStack()->clear();
    panel.resize(340, 900);
    panel.show();
    QApplication::processEvents();
  }
  ChoiceField* field(const char* name) { return panel.findChild<ChoiceField*>(name); }
  void choose(const char* name, const QString& value) {
    QComboBox* box = field(name)->input();
    const int index = box->findData(value);
    ASSERT_GE(index, 0) << name << ' ' << value.toStdString();
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
  }
  std::vector<std::string> problems() const {
    std::vector<std::string> all;
    for (const ExperimentProblem& problem : document.problems()) all.push_back(problem.where + ": " + problem.message);
    return all;
  }

  ExperimentPanel panel{&document};
};

TEST(ReplicaForm, DataParallelTakesLanesOnly) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "data-parallel");
  EXPECT_EQ(world.variant().strategy, Strategy::DataParallel);
  EXPECT_FALSE(world.variant().cuts || world.variant().split_size || world.variant().placement);
  EXPECT_THAT(world.problems(), IsEmpty());
  EXPECT_TRUE(world.field("variantSchedule")->isHidden());
  EXPECT_TRUE(world.field("variantReplicaLanes")->isHidden());
  EXPECT_EQ(world.document.activePlan()->replicas(), 4);
  world.document.undoStack()->undo();
  EXPECT_EQ(world.variant().strategy, Strategy::Pipeline);
  EXPECT_EQ(world.variant().split_size, 4);
}

TEST(ReplicaForm, DdpKeepsThePipelineWhereItsLanesHoldSeveral) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  EXPECT_EQ(world.variant().cuts, (std::vector<std::string>{"layer3.0"}));
  EXPECT_THAT(world.problems(), IsEmpty());
  EXPECT_EQ(world.document.activePlan()->replicas(), 2);
  EXPECT_EQ(world.field("variantReplicaLanes")->input()->currentText(), QStringLiteral("2: 2 replicas"));
  EXPECT_FALSE(world.field("variantSchedule")->isHidden());
  EXPECT_EQ(world.field("variantSchedule")->input()->findData("interleaved-1f1b"), -1)
      << "a replica has a lane for each stage";
}

TEST(ReplicaForm, TheLanesOfAReplicaCutItsModel) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  for (const auto& [lanes, stages, replicas] : {std::tuple{"1", 1, 4}, {"4", 4, 1}, {"2", 2, 2}}) {
    world.choose("variantReplicaLanes", lanes);
    EXPECT_THAT(world.problems(), IsEmpty()) << lanes;
    EXPECT_EQ(world.document.activePlan()->stages.size(), static_cast<std::size_t>(stages));
    EXPECT_EQ(world.document.activePlan()->replicas(), replicas);
  }
  const int steps = world.document.undoStack()->count();
  for (int step = 0; step < steps; ++step) world.document.undoStack()->undo();
  EXPECT_EQ(world.variant().strategy, Strategy::Pipeline);
}

TEST(ReplicaForm, EveryStrategyBecomesEveryOtherAndStaysLegal) {
  const std::vector<QString> strategies = {"single", "model-parallel", "pipeline", "data-parallel", "ddp"};
  for (const QString& from : strategies) {
    for (const QString& to : strategies) {
      ReplicaFormWorld world;
      world.document.edit(QStringLiteral("modes"), [](Experiment& e) {
        e.training.precision = Precision::Bf16;
        e.training.batch_norm = BatchNormMode::Synchronised;
      });
      world.choose("variantStrategy", from);
      world.choose("variantStrategy", to);
      EXPECT_EQ(QString::fromStdString(toWord(world.variant().strategy)), to);
      EXPECT_THAT(world.problems(), IsEmpty()) << from.toStdString() << " to " << to.toStdString();
    }
  }
}

TEST(ReplicaForm, LanesComeAndGoAndReplicasStayWhole) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  world.document.edit(QStringLiteral("more"), [](Experiment& e) { addLane(e, Device::cpu(4)); });
  EXPECT_THAT(world.problems(), IsEmpty());
  EXPECT_THAT(world.variant().lanes, ::testing::Optional(ElementsAre(0, 1, 2, 3)));
  world.document.edit(QStringLiteral("less"), [&](Experiment& e) { removeLane(e, world.document.model(), LaneId(1)); });
  EXPECT_THAT(world.problems(), IsEmpty());
  EXPECT_EQ(world.document.activePlan()->replicas(), 3) << "three lanes hold no two stages evenly";
}

TEST(ReplicaForm, TheSplitSizeIsOfAReplicasPart) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  EXPECT_EQ(world.document.active()->samples(), 8) << "of a batch of 16";
  const auto* words = world.panel.findChild<QLabel*>("splitSizeWords");
  EXPECT_EQ(words->text(), QStringLiteral("= 2 micro-batches per replica"));
}

TEST(ReplicaBoard, LanesOfOtherReplicasRepeatTheFirst) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  EXPECT_THAT(world.document.active()->repeatedLanes(), ElementsAre(-1, -1, 0, 1));
  BoardView board(&world.document, {});
  board.resize(900, 400);
  board.show();
  QApplication::processEvents();
  const BoardGeometry& geometry = board.geometryNow();
  for (const std::size_t lane : {0U, 1U}) {
    EXPECT_EQ(geometry.rows[lane + 2].copies.size(), static_cast<std::size_t>(geometry.rows[lane].blocks));
    EXPECT_EQ(geometry.rows[lane + 2].share, geometry.rows[lane].share);
    EXPECT_TRUE(geometry.rows[lane].copies.empty());
  }
}

TEST(ReplicaBoard, OnlyCutsMoveAndASentenceSaysSo) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  QSignalSpy noticed(&world.document, &ExperimentDocument::noticed);
  const Placement placement = world.document.activePlacement();
  const BlockId last(world.document.model().blocks.size() - 1);
  Placement elsewhere = placement;
  elsewhere.lane_of_block[last.index()] = LaneId(3);
  world.document.setPlacement(QStringLiteral("drop"), elsewhere);
  EXPECT_EQ(world.document.activePlacement(), placement);
  ASSERT_EQ(noticed.count(), 1);
  EXPECT_TRUE(noticed.back().front().toString().contains("cut alike"));
  Placement cut = placement;
  cut.lane_of_block[world.document.model().find("layer3.0")->index()] = LaneId(0);
  world.document.setPlacement(QStringLiteral("cut"), cut);
  EXPECT_EQ(world.document.activePlacement(), cut);
  EXPECT_EQ(world.variant().cuts, (std::vector<std::string>{"layer3.1"}));
  EXPECT_EQ(world.variant().strategy, Strategy::Ddp);
  EXPECT_THAT(world.problems(), IsEmpty());
}

TEST(ReplicaStages, NameAllLanesThatHoldThem) {
  ReplicaFormWorld world;
  world.choose("variantStrategy", "ddp");
  StageSummary stages(&world.document);
  EXPECT_EQ(stages.findChild<QLabel*>("stageSummaryTitle")->text(),
            QStringLiteral("2 replicas of 2 stages, 4 samples per micro-batch"));
  const auto* table = stages.findChild<QTableWidget*>("stageTable");
  EXPECT_EQ(table->item(0, 1)->text(), QStringLiteral("cpu:0, cpu:2"));
  EXPECT_EQ(table->item(1, 1)->text(), QStringLiteral("cpu:1, cpu:3"));
}

}  // namespace
}  // namespace lanelab
