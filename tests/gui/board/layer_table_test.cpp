// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_table.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>

#include "base/text.h"
#include "engine/experiment/edits/network_edits.h"
#include "tests/gui/board/small_world.h"
#include "ui/board/layer_table_model.h"

namespace lanelab {
namespace {

struct TableWorld : SmallWorld {
  TableWorld() : table(&document) {
    table.resize(700, 300);
    table.show();
    table.activateWindow();
    table.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&table, 5000));
  }
  int row(const QString& path) const {
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < model.rowCount(); ++row)
      if (model.index(row, LayerTableModel::Block).data().toString() == path) return row;
    return -1;
  }
  QString cell(const char* name, int column) const { return table.model()->index(row(name), column).data().toString(); }
  LayerTable table;
};

TEST(LayerTable, ItsModelKeepsQtsContractThroughEditsAndOtherNetworks) {
  TableWorld world;
  QAbstractItemModelTester tester(world.table.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  world.document.edit("Network", [](Experiment& e) { setArchitecture(e, "resnet50"); });
  EXPECT_EQ(world.table.model()->rowCount(), 18 + 4) << "blocks, and the modules that hold several";
  world.document.undoStack()->undo();
  EXPECT_EQ(world.table.model()->rowCount(), 10 + 4);
  for (int i = 0; i < 2; ++i) {
    world.table.selectRow(world.row("layer2"));
    QTest::keyClick(&world.table, i == 0 ? Qt::Key_Left : Qt::Key_Right);
    EXPECT_EQ(world.table.model()->rowCount(), i == 0 ? 12 : 14);
  }
  world.table.setFilter("conv1");
  world.table.setFilter({});
  EXPECT_TRUE(world.table.model()->setData(world.table.model()->index(0, LayerTableModel::Lane), 1));
  EXPECT_EQ(world.laneOf("stem"), 1);
}

TEST(LayerTable, ShowsThePlacementThatTheBoardShows) {
  TableWorld world;
  EXPECT_EQ(world.cell("layer2.1", LayerTableModel::Lane), "0: cpu:0");
  EXPECT_EQ(world.cell("layer3.0", LayerTableModel::Lane), "1: cpu:1");
  EXPECT_EQ(world.cell("layer3.0", LayerTableModel::StageNumber), "1");
  EXPECT_EQ(world.cell("layer3.0", LayerTableModel::Output), "256x4x4");
}

TEST(LayerTable, ADigitSendsTheChosenRowsToThatLane) {
  TableWorld world;
  world.table.selectRow(world.row("layer2.0"));
  QTest::keyClick(&world.table, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&world.table, Qt::Key_1);
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
  EXPECT_EQ(world.document.undoStack()->count(), 1);
  QTest::keyClick(&world.table, Qt::Key_7);
  EXPECT_EQ(world.document.undoStack()->count(), 1) << "there is no lane 7";
}

TEST(LayerTable, TheChoiceInTheCellSendsAllChosenRows) {
  TableWorld world;
  world.table.selectRow(world.row("layer2.0"));
  QTest::keyClick(&world.table, Qt::Key_Down, Qt::ShiftModifier);
  QTest::keyClick(&world.table, Qt::Key_F2);
  auto* box = world.table.findChild<QComboBox*>("laneChoice");
  ASSERT_NE(box, nullptr);
  QTest::keyClick(box, Qt::Key_Down);
  QTest::keyClick(box, Qt::Key_Return);
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
}

TEST(LayerTable, AModuleHasTheSumsOfItsBlocksAndTheirLayersAreWithin) {
  TableWorld world;
  const ModelSpec& model = world.document.model();
  const BlockSpec &first = *(model.blocks.begin() + model.find("layer2.0")->value),
                  &second = *(model.blocks.begin() + model.find("layer2.1")->value);
  EXPECT_EQ(world.cell("layer2", LayerTableModel::Macs),
            QString::fromStdString(formatCount(static_cast<double>(first.macs + second.macs))));
  EXPECT_EQ(world.cell("layer2", LayerTableModel::Parameters),
            QString::fromStdString(formatCount(static_cast<double>(first.parameters + second.parameters))));
  EXPECT_EQ(world.cell("layer2", LayerTableModel::Lane), "0: cpu:0");
  EXPECT_EQ(world.row("layer2.0.conv1"), -1);
  world.table.selectRow(world.row("layer2.0"));
  QTest::keyClick(&world.table, Qt::Key_Right);
  EXPECT_EQ(world.row("layer2.0.conv1"), world.row("layer2.0") + 1);
  EXPECT_EQ(world.cell("layer2.0.conv1", LayerTableModel::Lane), "");
  QTest::keyClick(&world.table, Qt::Key_Left);
  EXPECT_EQ(world.row("layer2.0.conv1"), -1);
  QTest::keyClick(&world.table, Qt::Key_Left);
  EXPECT_EQ(world.table.currentIndex().row(), world.row("layer2"));
}

TEST(LayerTable, ALaneForAModuleIsForAllItsBlocks) {
  TableWorld world;
  world.table.selectRow(world.row("layer2"));
  QTest::keyClick(&world.table, Qt::Key_1);
  EXPECT_EQ(world.laneOf("layer2.0"), 1);
  EXPECT_EQ(world.laneOf("layer2.1"), 1);
  EXPECT_EQ(world.laneOf("layer1.1"), 0);
  world.table.model()->setData(world.table.model()->index(world.row("layer2.0"), LayerTableModel::Lane), 0);
  EXPECT_EQ(world.cell("layer2", LayerTableModel::Lane), "several");
  EXPECT_EQ(world.cell("layer2", LayerTableModel::StageNumber), "0 to 1");
}

TEST(LayerTable, TheSearchShowsWhatItFindsWithTheModulesAround) {
  SmallWorld world;
  LayersPane pane(&world.document);
  auto* const table = pane.findChild<LayerTable*>("layerTable");
  pane.findChild<QLineEdit*>("layerSearch")->setText("3.1 conv2");
  QStringList shown;
  for (int row = 0; row < table->model()->rowCount(); ++row) shown << table->model()->index(row, 0).data().toString();
  EXPECT_EQ(shown, (QStringList{"layer3", "layer3.1", "layer3.1.conv2"}));
}

TEST(LayerTable, WhileReadOnlyNothingMoves) {
  TableWorld world;
  world.table.setReadOnly(true);
  world.table.selectRow(0);
  QTest::keyClick(&world.table, Qt::Key_1);
  QTest::keyClick(&world.table, Qt::Key_F2);
  EXPECT_EQ(world.table.findChild<QComboBox*>("laneChoice"), nullptr);
  EXPECT_EQ(world.laneOf("stem"), 0);
}

TEST(LayerTable, IsATableForScreenReaders) {
  TableWorld world;
  QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&world.table);
  ASSERT_NE(accessible, nullptr);
  EXPECT_EQ(accessible->role(), QAccessible::Table);
  EXPECT_FALSE(accessible->text(QAccessible::Name).isEmpty());
}

TEST(StageSummary, FollowsThePreviewAndComesBack) {
  SmallWorld world;
  StageSummary summary(&world.document);
  const auto* table = summary.findChild<QTableWidget*>("stageTable");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->rowCount(), 2);
  EXPECT_EQ(table->item(0, 2)->text(), "stem ... 2.1");
  EXPECT_EQ(table->item(0, 6)->text(), "128 KiB") << "4 samples of 128x8x8 floats";
  Placement preview = world.document.activePlacement();
  preview.lane_of_block.back() = LaneId(0);
  summary.showPreview(preview);
  EXPECT_EQ(table->rowCount(), 3);
  EXPECT_EQ(table->item(2, 2)->text(), "head");
  summary.endPreview();
  EXPECT_EQ(table->rowCount(), 2);
}

}  // namespace
}  // namespace lanelab
