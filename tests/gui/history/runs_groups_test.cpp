// SPDX-License-Identifier: GPL-3.0-only
// The table of runs in groups: what a group shows, how it folds, and that it stands for its runs.
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTest>

#include "tests/gui/wait_for.h"
#include "tests/support/written_labels.h"
#include "tests/unit/library/library_world.h"
#include "ui/history/runs_list.h"
#include "ui/history/runs_model.h"
#include "ui/look/settings.h"

namespace lanelab::test {
namespace {

/// Two runs of the toy network on two days, and one of a ResNet-18 that is twice as slow.
class RunsGroupsTest : public LibraryTest {
 protected:
  RunsGroupsTest() {
    look::Settings().remove("runs");
    writeRun("first", doneRecord("first", "2025-01-02T12:00:00Z"));
    writeRun("second", doneRecord("second", "2025-01-05T12:00:00Z"));
    RunRecord slow = doneRecord("third", "2025-01-03T12:00:00Z");
    slow.experiment.model.arch = "resnet18";
    for (auto& variant : slow.variants)
      for (auto& repeat : variant.repeats)
        for (double& seconds : repeat.step_seconds) seconds *= 2;
    writeRun("third", slow);
    open();
  }

  void open() {
    pane = std::make_unique<RunsList>(RunFolders{root.string(), {}, false});
    pane->resize(900, 400);
    pane->show();
    table = pane->findChild<QTableView*>("runs");
    EXPECT_TRUE(waitFor([&] { return !pane->runs().empty() && pane->runs().size() == 3; }));
  }

  QString cell(int row, RunColumn column) const {
    return table->model()->index(row, static_cast<int>(column)).data().toString();
  }
  QStringList names() const {
    QStringList names;
    for (int row = 0; row < table->model()->rowCount(); ++row) names.append(cell(row, RunColumn::Name));
    return names;
  }
  void trigger(const char* action) const { pane->findChild<QAction*>(action)->trigger(); }
  void choose(int row) const { table->setCurrentIndex(table->model()->index(row, 1)); }
  void press(Qt::Key key) const { QTest::keyClick(table, key); }

  std::unique_ptr<RunsList> pane;
  QTableView* table = nullptr;
};

TEST_F(RunsGroupsTest, AGroupShowsItsCountItsBestFiguresAndItsDays) {
  trigger("groupRuns-model");
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "second", "first", "resnet18 (1 run)", "third"}));
  EXPECT_EQ(cell(0, RunColumn::StepTime), "250");
  EXPECT_EQ(cell(0, RunColumn::SamplesPerSecond), "32.0");
  EXPECT_EQ(cell(0, RunColumn::Date), "2 Jan 2025 to 5 Jan 2025");
  EXPECT_EQ(cell(3, RunColumn::Date), "3 Jan 2025");
  const QModelIndex name = table->model()->index(0, static_cast<int>(RunColumn::Name));
  EXPECT_EQ(name.data(Qt::AccessibleTextRole).toString(),
            "toy: 2 runs, best step time 250 ms, best 32.0 samples/s, 2 Jan 2025 to 5 Jan 2025, unfolded");
  EXPECT_FALSE(name.flags() & Qt::ItemIsEditable) << "a group has no name of its own";
}

TEST_F(RunsGroupsTest, KeysFoldAndUnfoldAsInATree) {
  trigger("groupRuns-model");
  choose(1);
  press(Qt::Key_Left);
  EXPECT_EQ(table->currentIndex().row(), 0) << "from a run to its group";
  press(Qt::Key_Left);
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "resnet18 (1 run)", "third"}));
  press(Qt::Key_Right);
  EXPECT_EQ(names().size(), 5);
  press(Qt::Key_Return);
  EXPECT_EQ(names().size(), 3) << "Enter folds a group, and opens a run";
  trigger("unfoldGroups");
  EXPECT_EQ(names().size(), 5);
  trigger("foldGroups");
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "resnet18 (1 run)"}));
}

TEST_F(RunsGroupsTest, AClickOnTheArrowFolds) {
  trigger("groupRuns-model");
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {8, table->rowViewportPosition(0) + 5});
  EXPECT_EQ(names().front(), "toy (2 runs)");
  EXPECT_EQ(names().size(), 3);
  QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, {8, table->rowViewportPosition(0) + 5});
  EXPECT_EQ(names().size(), 5);
}

TEST_F(RunsGroupsTest, ASelectedGroupIsItsRunsFoldedOrNot) {
  QStringList overlaid;
  QObject::connect(pane.get(), &RunsList::overlayRequested, [&](const std::vector<RunEntry>& runs) {
    overlaid.clear();
    for (const RunEntry& run : runs) overlaid.append(QString::fromStdString(run.id));
  });
  trigger("groupRuns-model");
  choose(0);
  trigger("overlayRuns");
  EXPECT_EQ(overlaid, QStringList({"second", "first"}));
  press(Qt::Key_Left);
  overlaid.clear();
  trigger("overlayRuns");
  EXPECT_EQ(overlaid, QStringList({"second", "first"})) << "folded";
  table->selectAll();
  trigger("overlayRuns");
  EXPECT_EQ(overlaid, QStringList({"second", "first", "third"})) << "each once";
  EXPECT_FALSE(pane->findChild<QAction*>("renameRun")->isEnabled());
}

TEST_F(RunsGroupsTest, SearchAndFilterWorkWithinGroups) {
  trigger("groupRuns-model");
  auto* search = pane->findChild<QLineEdit*>("runsSearch");
  search->setText("first");
  EXPECT_EQ(names(), QStringList({"toy (1 run)", "first"}));
  EXPECT_EQ(pane->findChild<QLabel*>("runsCount")->text(), "1 of 3");
  search->setText("nowhere");
  EXPECT_TRUE(pane->findChild<QWidget*>("runsNoMatch")->isVisible());
  search->clear();
  trigger("foldGroups");
  pane->select(QString::fromStdString(at("first")));
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "second", "first", "resnet18 (1 run)"}))
      << "a run that is shown unfolds its group";
  EXPECT_EQ(cell(table->currentIndex().row(), RunColumn::Name), "first");
}

TEST_F(RunsGroupsTest, GroupsFollowTheOrderOfTheirFirstRuns) {
  trigger("groupRuns-model");
  table->sortByColumn(static_cast<int>(RunColumn::StepTime), Qt::DescendingOrder);
  EXPECT_EQ(names().front(), "resnet18 (1 run)");
  choose(4);
  table->sortByColumn(static_cast<int>(RunColumn::Name), Qt::AscendingOrder);
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "first", "second", "resnet18 (1 run)", "third"}));
  EXPECT_EQ(cell(table->currentIndex().row(), RunColumn::Name), "first") << "the selected run remains selected";
}

TEST_F(RunsGroupsTest, ARunWithTwoTagsIsInBothGroupsAndRemainsSelectedInOne) {
  ASSERT_TRUE(test::writeLabels(at("first"), {{}, {"night", "lab"}, {}, false}).ok());
  ASSERT_TRUE(test::writeLabels(at("third"), {{}, {"night"}, {}, false}).ok());
  pane->refresh();
  trigger("groupRuns-tag");
  ASSERT_TRUE(waitFor([&] {
    return names() ==
           QStringList({"night (2 runs)", "third", "first", "lab (1 run)", "first", "No tag (1 run)", "second"});
  })) << names().join(", ").toStdString();
  choose(4);
  table->sortByColumn(static_cast<int>(RunColumn::Name), Qt::AscendingOrder);
  EXPECT_EQ(names(),
            QStringList({"night (2 runs)", "first", "third", "lab (1 run)", "first", "No tag (1 run)", "second"}));
  EXPECT_EQ(table->currentIndex().row(), 4);
}

TEST_F(RunsGroupsTest, GroupingAndFoldedGroupsAreRemembered) {
  trigger("groupRuns-model");
  choose(0);
  press(Qt::Key_Left);
  open();
  EXPECT_EQ(names(), QStringList({"toy (2 runs)", "resnet18 (1 run)", "third"}));
  EXPECT_TRUE(pane->findChild<QAction*>("groupRuns-model")->isChecked());
  EXPECT_EQ(pane->findChild<QPushButton*>("runsGroups")->text(), "Grouped");
  trigger("groupRuns-none");
  EXPECT_EQ(names(), QStringList({"second", "third", "first"}));
  EXPECT_FALSE(pane->findChild<QAction*>("foldGroups")->isEnabled());
}

}  // namespace
}  // namespace lanelab::test
