// SPDX-License-Identifier: GPL-3.0-only
// The schedule editor by mouse and by keys: what is dragged lands in the experiment, what breaks is said at once, undo
// brings it back.
#include <gtest/gtest.h>

#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include "engine/experiment/edits/placement_edits.h"
#include "engine/schedule/generate.h"
#include "tests/gui/board/small_world.h"
#include "ui/look/sentence_label.h"
#include "ui/schedule/schedule_pane.h"
#include "ui/schedule/schedule_view.h"

namespace lanelab {
namespace {

struct EditorWorld : SmallWorld {
  EditorWorld() : pane(&document) {
    document.edit("1f1b", [](Experiment& e) { e.variants[1].schedule = ScheduleKind::OneFOneB; });
    pane.resize(900, 240);
    pane.show();
    pane.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&pane, 5000));
    view().setFocus();
  }
  ScheduleView& view() { return *pane.findChild<ScheduleView*>("scheduleView"); }
  QPushButton& button(const char* name) { return *pane.findChild<QPushButton*>(name); }
  QString sentence() {
    const auto* label = pane.findChild<SentenceLabel*>("scheduleSentence");
    return label->isHidden() ? QString() : label->text();
  }
  QString headline() { return pane.findChild<QLabel*>("scheduleHeadline")->text(); }
  QPoint middle(std::size_t lane, std::size_t index) { return view().cellRect(lane, index).center(); }
  /// Where a cell's right end would be dropped behind another.
  void drag(std::size_t lane, std::size_t from, QPoint to) {
    press(lane, from);
    move(to);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, to);
  }
  void press(std::size_t lane, std::size_t index) {
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, middle(lane, index));
  }
  void move(QPoint to) {
    QMouseEvent event(QEvent::MouseMove, to, view().viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(view().viewport(), &event);
  }
  std::string row(std::size_t lane) { return variant().actions ? (*variant().actions)[lane] : "own"; }
  SchedulePane pane;
};

TEST(ScheduleEditor, ShowsTheSchedulesOwnOrder) {
  EditorWorld world;
  ASSERT_EQ(world.view().grid().lanes.size(), 2u);
  EXPECT_EQ(toString(world.view().grid().lanes[0][2].action), "0B0");
  EXPECT_TRUE(world.headline().startsWith("1F1B: 2 stages, 4 micro-batches, lanes idle 20 %"))
      << world.headline().toStdString();
  EXPECT_FALSE(world.button("scheduleReset").isEnabled());
  EXPECT_TRUE(world.sentence().isEmpty());
}

TEST(ScheduleEditor, SaysWhatItShowsUntilACellIsChosen) {
  SmallWorld world;
  SchedulePane pane(&world.document);
  auto& view = *pane.findChild<ScheduleView*>("scheduleView");
  EXPECT_EQ(view.accessibleDescription(),
            "15 columns in unit times: cpu:0 8 actions, cpu:1 8 actions; lanes with work are idle 20 % of them.");
  view.choose(0, 0);
  EXPECT_TRUE(view.accessibleDescription().startsWith("0F0: forward"));
}

TEST(ScheduleEditor, ADraggedCellIsOneUndoStepAndRuns) {
  EditorWorld world;
  const int steps = world.document.undoStack()->count();
  const QPoint behind = world.middle(0, 3) - QPoint(world.view().cellRect(0, 3).width() / 2 - 4, 0);
  world.drag(0, 3, world.middle(0, 2) - QPoint(8, 0));  // 0F2 before 0B0
  EXPECT_EQ(world.row(0), "0F0,0F1,0F2,0B0,0B1,0F3,0B2,0B3") << behind.x();
  EXPECT_EQ(world.document.undoStack()->count(), steps + 1);
  EXPECT_TRUE(world.document.problems().empty());
  const VariantPlan* const plan = world.document.activePlan();
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->schedule_kind, ScheduleKind::Custom);
  EXPECT_EQ(toCsv(plan->schedule).substr(0, 19), "0F0,0F1,0F2,0B0,0B1");
  EXPECT_EQ(world.view().chosen(), parseAction("0F2")) << "the moved action stays chosen";
  world.document.undoStack()->undo();
  EXPECT_EQ(world.row(0), "own");
  EXPECT_EQ(toString(world.view().grid().lanes[0][2].action), "0B0");
}

TEST(ScheduleEditor, ABrokenDependencyIsSaidWhileTheCellIsStillHeld) {
  EditorWorld world;
  world.press(0, 0);
  world.move(world.middle(0, 2) + QPoint(8, 0));  // 0F0 behind 0B0
  EXPECT_GE(world.view().grid().broken, 1);
  EXPECT_TRUE(world.sentence().startsWith("0B0 waits for 0F0, which comes later on the same lane"))
      << world.sentence().toStdString();
  EXPECT_FALSE(world.variant().actions.has_value()) << "not before it is let go";
  QTest::keyClick(&world.view(), Qt::Key_Escape);
  EXPECT_TRUE(world.sentence().isEmpty());
  EXPECT_EQ(world.view().grid().broken, 0);
  QTest::mouseRelease(world.view().viewport(), Qt::LeftButton, {}, world.middle(0, 2));
  EXPECT_EQ(world.row(0), "own");
}

TEST(ScheduleEditor, ABrokenOrderStaysShownAndIsAProblemOfTheExperiment) {
  EditorWorld world;
  world.drag(0, 0, world.middle(0, 2) + QPoint(8, 0));
  EXPECT_EQ(world.row(0).substr(0, 11), "0F1,0B0,0F0");
  EXPECT_FALSE(world.document.problemAt("variants[1].actions").isEmpty());
  EXPECT_TRUE(world.sentence().contains("waits for"));
  EXPECT_TRUE(world.headline().contains("cannot run"));
  EXPECT_EQ(world.view().grid().lanes[0].size(), 8u);
  QTest::mouseClick(&world.button("scheduleReset"), Qt::LeftButton);
  EXPECT_EQ(world.row(0), "own");
  EXPECT_TRUE(world.sentence().isEmpty());
}

TEST(ScheduleEditor, KeysWalkMoveAndSplit) {
  EditorWorld world;
  world.view().choose(0, 0);
  QTest::keyClick(&world.view(), Qt::Key_Right);
  QTest::keyClick(&world.view(), Qt::Key_Right);
  EXPECT_EQ(world.view().chosen(), parseAction("0B0"));
  EXPECT_TRUE(world.view().accessibleDescription().startsWith(
      "0B0: backward of micro-batch 0 on stage 0, number 3 of 8 on cpu:0"))
      << world.view().accessibleDescription().toStdString();
  QTest::keyClick(&world.view(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_EQ(world.row(0), "0F0,0F1,0F2,0B0,0B1,0F3,0B2,0B3");
  QTest::keyClick(&world.view(), Qt::Key_Left, Qt::ControlModifier);
  EXPECT_EQ(world.row(0), "own") << "back at its own order nothing is edited";
  QTest::keyClick(&world.view(), Qt::Key_S);
  EXPECT_EQ(world.row(0), "0F0,0F1,0I0,0W0,0F2,0B1,0F3,0B2,0B3");
  EXPECT_EQ(world.button("scheduleSplit").text(), "Join");
  QTest::keyClick(&world.view(), Qt::Key_S);
  EXPECT_EQ(world.row(0), "own");
  QTest::keyClick(&world.view(), Qt::Key_Down);
  EXPECT_EQ(world.view().chosen()->stage, StageId(1));
  QTest::keyClick(&world.view(), Qt::Key_End);
  EXPECT_EQ(world.view().chosen(), parseAction("1B3"));
  QTest::keyClick(&world.view(), Qt::Key_Home);
  EXPECT_EQ(world.view().chosen(), parseAction("1F0"));
}

TEST(ScheduleEditor, ReadOnlyNothingMoves) {
  EditorWorld world;
  world.pane.setReadOnly(true);
  world.drag(0, 3, world.middle(0, 2) - QPoint(8, 0));
  QTest::keyClick(&world.view(), Qt::Key_Right, Qt::ControlModifier);
  QTest::keyClick(&world.view(), Qt::Key_S);
  EXPECT_EQ(world.row(0), "own");
  EXPECT_FALSE(world.button("scheduleRead").isEnabled());
}

TEST(ScheduleEditor, OfASingleDeviceItShowsTheOrderOnly) {
  EditorWorld world;
  world.document.setActiveVariant(0);
  EXPECT_EQ(world.view().grid().lanes[0].size(), 2u);
  EXPECT_FALSE(world.button("scheduleSplit").isEnabled());
  QTest::keyClick(&world.view(), Qt::Key_Right, Qt::ControlModifier);
  EXPECT_FALSE(world.document.experiment().variants[0].actions.has_value());
}

TEST(ScheduleEditor, CsvGoesOutAndComesBack) {
  EditorWorld world;
  QTemporaryDir folder;
  const QString path = folder.filePath("order.csv");
  world.pane.writeCsv(path);
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  EXPECT_EQ(file.readAll().left(15), "0F0,0F1,0B0,0F2");
  file.close();
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3\n,1F0,1B0,1F1,1B1,1F2,1B2,1F3,1B3\n");
  file.close();
  world.pane.readCsv(path);
  EXPECT_EQ(world.row(0), "0F0,0F1,0F2,0F3,0B0,0B1,0B2,0B3");
  EXPECT_TRUE(world.document.problems().empty());
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("hello\n");
  file.close();
  world.pane.readCsv(path);
  EXPECT_TRUE(world.sentence().contains("\"hello\" is not a compute action")) << world.sentence().toStdString();
  world.pane.readCsv(folder.filePath("none.csv"));
  EXPECT_FALSE(world.sentence().isEmpty());
}

TEST(ScheduleEditor, AnotherSplitSizeNeedsAnotherOrderAndSaysSo) {
  EditorWorld world;
  world.drag(0, 3, world.middle(0, 2) - QPoint(8, 0));
  world.document.edit("split", [](Experiment& e) { e.variants[1].split_size = 2; });
  EXPECT_TRUE(world.document.problemAt("variants[1].actions")
                  .contains("Leaving the actions out brings the order of 1F1B back"));
  EXPECT_FALSE(world.sentence().isEmpty());
  EXPECT_TRUE(world.button("scheduleReset").isEnabled());
}

class ScheduleChoice : public ::testing::TestWithParam<ScheduleKind> {};

TEST_P(ScheduleChoice, GetsWhatItNeedsAndGoesBack) {
  SmallWorld world;
  const auto choose = [&](ScheduleKind schedule) {
    world.document.edit("schedule",
                        [&](Experiment& e) { setSchedule(e, world.document.model(), schedule, e.variants[1]); });
  };
  choose(GetParam());
  EXPECT_TRUE(world.document.problems().empty()) << world.document.problems().front().message;
  const VariantPlan* const plan = world.document.activePlan();
  ASSERT_NE(plan, nullptr);
  EXPECT_EQ(plan->stages.size(), goesRoundTheLanes(GetParam()) ? 4u : 2u);
  choose(ScheduleKind::OneFOneB);
  EXPECT_EQ(world.variant().cuts, std::vector<std::string>{"layer3.0"}) << "the cuts of before";
  EXPECT_TRUE(world.document.problems().empty());
}

INSTANTIATE_TEST_SUITE_P(All, ScheduleChoice, ::testing::ValuesIn(knownSchedules()), [](const auto& named) {
  std::string name = toWord(named.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(ScheduleChoice, AVKeepsItsBottomCutWhenTheBoardMovesABlock) {
  SmallWorld world;
  world.document.edit("zb-v",
                      [&](Experiment& e) { setSchedule(e, world.document.model(), ScheduleKind::ZbV, e.variants[1]); });
  const auto before = *world.variant().cuts;
  Placement placement = world.document.activePlacement();
  const auto first = world.document.model().find(before[0]);
  placement.lane_of_block[first->index()] = LaneId(0);
  world.document.setPlacement("move", placement);
  ASSERT_TRUE(world.variant().cuts.has_value());
  EXPECT_EQ(world.variant().cuts->size(), 3u);
  EXPECT_EQ((*world.variant().cuts)[1], before[1]);
  EXPECT_EQ(world.document.activePlacement(), placement);
  EXPECT_TRUE(world.document.problems().empty());
}

TEST(ScheduleChoice, WavesKeepTheirCutsWhenTheBoardMovesABlock) {
  SmallWorld world;
  world.document.edit("hanayo", [&](Experiment& e) {
    setSchedule(e, world.document.model(), ScheduleKind::Hanayo, e.variants[1]);
    e.variants[1].cuts =
        std::vector<std::string>{"layer1.0", "layer1.1", "layer2.0", "layer2.1", "layer3.0", "layer3.1", "layer4.0"};
  });
  ASSERT_TRUE(world.document.problems().empty()) << world.document.problems().front().message;
  Placement placement = world.document.activePlacement();
  EXPECT_EQ(stagesOf(placement).size(), 5u) << "lanes 0, 1, 0, 1, 0";
  placement.lane_of_block[world.document.model().find("layer4.0")->index()] = LaneId(1);
  world.document.setPlacement("move", placement);
  ASSERT_TRUE(world.variant().cuts.has_value());
  EXPECT_EQ(world.variant().cuts->size(), 7u);
  EXPECT_EQ(world.document.activePlacement(), placement);
  ASSERT_NE(world.document.activePlan(), nullptr);
  EXPECT_EQ(world.document.activePlan()->stages.size(), 8u);
}

TEST(ScheduleChoice, AnEditedOrderGoesWhenStagesChangeTheirLanes) {
  SmallWorld world;
  const Schedule schedule = world.document.activePlan()->schedule;
  world.document.edit("edit", [&](Experiment& e) { setActions(withActionMoved(schedule, 0, 4, 5), e.variants[1]); });
  ASSERT_TRUE(world.variant().actions.has_value());
  Placement placement = world.document.activePlacement();
  placement.lane_of_block[world.document.model().find("layer2.1")->index()] = LaneId(1);
  world.document.setPlacement("another cut", placement);
  EXPECT_TRUE(world.variant().actions.has_value()) << "the same stages on the same lanes";
  placement.lane_of_block[0] = LaneId(1);
  world.document.setPlacement("three stages", placement);
  EXPECT_FALSE(world.variant().actions.has_value());
}

}  // namespace
}  // namespace lanelab
