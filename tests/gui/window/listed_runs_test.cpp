// SPDX-License-Identifier: GPL-3.0-only
// What the list of runs does: it compares, deletes and restores them.
#include <gtest/gtest.h>

#include <QDialog>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTableWidget>

#include "base/atomic_file.h"
#include "engine/library/run_archive.h"
#include "engine/library/run_query.h"
#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/charts/comparison_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

TEST(ListedRuns, SeveralRunsAreComparedFromTheList) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(w.runToTheEnd());
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 2; }));
  EXPECT_FALSE(w.window->action("compareRuns")->isEnabled()) << "one run is selected";
  runs->selectAll();
  w.trigger("compareRuns");
  EXPECT_TRUE(waitFor([&] { return w.find<QTableWidget>("comparisonTable")->rowCount() == 6; }));
}

TEST(ListedRuns, ADeletedRunIsRestoredFromTheMessage) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 1; }));
  runs->selectAll();
  w.trigger("deleteRun");
  EXPECT_EQ(w.window->messages().sentence(), "Deleted small.");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 0; }));
  w.find<QPushButton>("messageAction")->click();
  EXPECT_EQ(w.window->messages().sentence(), "Restored 1 run.");
  EXPECT_FALSE(w.find<QPushButton>("messageAction")->isVisible());
  EXPECT_TRUE(waitFor([&] { return runs->model()->rowCount() == 1; }));
}

/// Of the table of Time and Memory, how many points a stored run has measured.
int measuredPoints(const WindowWorld& w) {
  const auto* const table = w.find<QTableWidget>("memoryTable");
  int measured = 0;
  for (int column = 0; column < table->columnCount(); ++column) {
    if (const auto* const title = table->horizontalHeaderItem(column); !title || title->text() != "Measured") continue;
    for (int row = 0; row < table->rowCount(); ++row) measured += !table->item(row, column)->text().isEmpty();
  }
  return measured;
}

/// The only run, with peaks, which no fake measures; then the pane Time and Memory, which reads it.
void runWithAPoint(const WindowWorld& w) {
  ASSERT_TRUE(w.runToTheEnd());
  RunRecord record = *w.record();
  for (VariantRecord& variant : record.variants) variant.lanes.at(0).peak_bytes = 50 << 20;
  {
    auto folder = RunFolder::reopen(w.place.filePath("runs").toStdString() + "/" + record.id);
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    ASSERT_TRUE(folder->write(record).ok());
  }
  w.find<BoardView>("board")->setBlockTimes(
      [model = w.window->document().model()](const Resolution& edited, const TrainingModes&) {
        BlockTimes times = estimatedBlockTimes(edited.experiment(), model);
        times.origin = BlockTimes::Origin::Recorded;
        return std::optional(times);
      });
  w.window->document().setActiveVariant(2);
  w.find<QAction>("show-memoryDock")->trigger();
}

/// The only run, once its point is there; then the point goes too.
void deleteMeasured(const WindowWorld& w) {
  auto* const runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 1 && measuredPoints(w) == 1; }))
      << runs->model()->rowCount() << w.find<QLabel>("memoryHeadline")->text().toStdString();
  runs->selectAll();
  w.trigger("deleteRun");
  const auto* const curve = w.find<QTableWidget>("memoryTable");
  ASSERT_TRUE(waitFor([&] { return curve->rowCount() > 0 && measuredPoints(w) == 0; }));
}

TEST(ListedRuns, AMeasuredPointGoesWithItsRunAndComesBackWithIt) {
  WindowWorld w;
  runWithAPoint(w);
  for (const bool from_message : {true, false}) {
    deleteMeasured(w);
    if (from_message)
      w.find<QPushButton>("messageAction")->click();
    else
      w.trigger("undoDeleteRun");
    EXPECT_TRUE(waitFor([&] { return measuredPoints(w) == 1; })) << from_message;
  }
}

TEST(ListedRuns, AMeasuredPointComesWithAnImportedRun) {
  WindowWorld w;
  runWithAPoint(w);
  const QString archive = w.place.filePath("run.zip");
  const std::string folder = w.place.filePath("runs").toStdString() + "/" + w.record()->id;
  ASSERT_TRUE(writeRunArchive(folder, {}, archive.toStdString()).ok());
  deleteMeasured(w);
  w.window->openPath(archive);
  EXPECT_TRUE(waitFor([&] { return measuredPoints(w) == 1; })) << w.window->messages().sentence().toStdString();
}

/// What compares the two runs of the list.
QDialog* comparisonOfBoth(const WindowWorld& w) {
  auto* runs = w.find<QTableView>("runs");
  if (!waitFor([&] { return runs->model()->rowCount() == 2; })) return nullptr;
  runs->selectAll();
  w.trigger("compareRuns");
  waitFor([&] { return w.window->findChild<QDialog*>("runsComparison") != nullptr; });
  return w.window->findChild<QDialog*>("runsComparison");
}

TEST(ListedRuns, TwoRunsAreComparedWithTheSettingsThatDiffer) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("batch", [](Experiment& e) { e.data.batch *= 2; });
  ASSERT_TRUE(w.runToTheEnd());
  const QDialog* const dialog = comparisonOfBoth(w);
  ASSERT_NE(dialog, nullptr);
  const auto* settings = dialog->findChild<QTableWidget*>("differingSettings");
  EXPECT_FALSE(settings->findItems("Batch", Qt::MatchExactly).isEmpty());
  EXPECT_NE(settings->horizontalHeaderItem(1)->text(), settings->horizontalHeaderItem(2)->text())
      << "runs of one name by their times, or ids within one second";
  EXPECT_TRUE(
      dialog->findChild<QLabel*>("comparability")->text().startsWith("The runs compare per sample only: batch"));
  EXPECT_EQ(dialog->findChild<QTableWidget*>("comparisonTable")->rowCount(), 6);
  EXPECT_NE(dialog->findChild<LossView*>()->csv().find("Pipeline"), std::string::npos);
}

TEST(ListedRuns, LossesByUnlikeFunctionsAreNotDrawnOnOneAxis) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("loss", [](Experiment& e) { e.training.loss = Loss::CrossEntropy; });
  ASSERT_TRUE(w.runToTheEnd());
  const QDialog* const dialog = comparisonOfBoth(w);
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->findChild<QTableWidget*>("comparisonTable")->rowCount(), 6) << "times do compare";
  EXPECT_EQ(dialog->findChild<LossView*>(), nullptr);
  EXPECT_TRUE(dialog->findChild<QLabel*>("lossesApart")->text().contains("loss functions"));
}

TEST(ListedRuns, DamagedRunIsListedWithItsError) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 1; }));
  ASSERT_TRUE(writeFileAtomically(w.window->shownRun().folder().toStdString() + "/run.json", "{ broken").ok());
  w.trigger("refreshRuns");
  EXPECT_TRUE(waitFor([&] {
    return runs->model()->rowCount() == 1 &&
           runs->model()->index(0, static_cast<int>(RunColumn::Status)).data().toString() == "damaged";
  }));
}

/// Each update of the weights waits for the next beat of a timer on the window's thread. A window that stood still
/// while a lane computes would let the lane wait in vain.

}  // namespace
}  // namespace lanelab
