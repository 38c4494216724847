// SPDX-License-Identifier: GPL-3.0-only
// Looking at a stored run leaves the experiment that is being edited alone.
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>

#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/elided_label.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

/// A window with an edited experiment, and a run of another one.
class ViewedRun : public testing::Test {
 protected:
  ViewedRun() {
    writeMeasuredRun(folder.toStdString());
    w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  }
  void view() {
    w.window->openPath(folder);
    ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); })) << message();
    ASSERT_TRUE(waitFor([&] { return timeline().trace() != nullptr; }));
  }
  TimelineView& timeline() const { return *w.find<TimelineView>("timeline"); }
  std::string message() const { return w.window->messages().sentence().toStdString(); }
  QWidget* bar() const { return w.find<QWidget>("viewedRunBar"); }
  QMessageBox* question() const { return w.window->findChild<QMessageBox*>("unsavedBox"); }

  WindowWorld w;
  QString folder = w.place.filePath("runs/measured");
};

TEST_F(ViewedRun, LeavesTheEditedExperimentAndAsksNothing) {
  const Experiment edited = w.window->document().experiment();
  view();
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(w.window->document().experiment(), edited);
  EXPECT_TRUE(w.window->document().undoStack()->canUndo());
  EXPECT_TRUE(bar()->isVisible());
  EXPECT_TRUE(w.find<ElidedLabel>("viewedRunText")->text().startsWith("Viewing run measured"))
      << w.find<ElidedLabel>("viewedRunText")->text().toStdString();
  EXPECT_EQ(w.find<QTableWidget>("comparisonTable")->rowCount(), 2) << "the run's variants";
}

TEST_F(ViewedRun, IsTheOnlyContextUntilOneGoesBack) {
  const char* const grey[] = {"experimentScroll", "stageSummary", "scheduleView", "memoryPane"};
  const auto expect = [&](bool viewing) {
    EXPECT_EQ(w.find<BoardView>("board")->isVisible(), !viewing) << "a board of another experiment";
    for (const char* const part : grey) EXPECT_EQ(w.find<QWidget>(part)->isEnabled(), !viewing) << part;
    EXPECT_EQ(w.find<QWidget>("splitSizeNumber")->isEnabled(), !viewing);
    for (const char* const name : {"addLane", "balance", "undo"})
      EXPECT_EQ(w.find<QAction>(name)->isEnabled(), !viewing) << name;
    EXPECT_TRUE(w.find<QAction>("run")->isEnabled());
  };
  expect(false);
  view();
  expect(true);
  w.find<QPushButton>("closeViewedRun")->click();
  expect(false);
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  ASSERT_TRUE(waitFor([&] { return bar()->isVisible(); }));
  expect(true);
  w.trigger("closeRun");
  expect(false);
}

TEST_F(ViewedRun, ShowsTheVariantThatIsChosen) {
  view();
  auto* variants = w.find<QComboBox>("viewedVariant");
  ASSERT_EQ(variants->count(), 2);
  for (const int row : {0, 1}) {
    variants->setCurrentIndex(row);
    Q_EMIT variants->activated(row);
    EXPECT_TRUE(waitFor([&] {
      return timeline().trace() && timeline().trace()->title == variants->itemData(row).toString().toStdString();
    })) << row;
  }
}

TEST_F(ViewedRun, ClosesAndShowsTheRunOfTheExperimentAgain) {
  ASSERT_TRUE(w.runToTheEnd());
  const std::string own = w.record()->id;
  view();
  EXPECT_NE(w.record()->id, own);
  w.find<QPushButton>("closeViewedRun")->click();
  ASSERT_NE(w.record(), nullptr);
  EXPECT_EQ(w.record()->id, own);
  EXPECT_FALSE(bar()->isVisible());
}

TEST_F(ViewedRun, WithoutARunOfTheExperimentClosesToNone) {
  view();
  w.trigger("closeRun");
  EXPECT_EQ(w.record(), nullptr);
  EXPECT_EQ(timeline().trace(), nullptr);
  EXPECT_FALSE(bar()->isVisible());
}

TEST_F(ViewedRun, TellsThePredictionItsBlockTimesIfTheyAreOfTheExperiment) {
  const auto& board = *w.find<BoardView>("board");
  const auto origin = [&] { return board.forecast().times()->origin; };
  view();
  EXPECT_EQ(origin(), BlockTimes::Origin::Estimated) << "of another network";
  w.find<QPushButton>("closeViewedRun")->click();
  w.window->document().undoStack()->setClean();
  w.window->openExperiment(oneBlockTooMany(), {});
  view();
  EXPECT_TRUE(waitFor([&] { return origin() == BlockTimes::Origin::Traced; }));
}

TEST_F(ViewedRun, WithoutTracesSaysSo) {
  ASSERT_TRUE(QFile::exists(folder));
  for (const QString& file : QDir(folder).entryList({"*.json*"}, QDir::Files))
    EXPECT_TRUE(file == "run.json" || QFile::remove(QDir(folder).filePath(file))) << file.toStdString();
  w.window->openPath(folder);
  ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); }));
  EXPECT_TRUE(waitFor([&] { return timeline().emptyText().startsWith("This run has no timeline of "); }))
      << timeline().emptyText().toStdString();
}

TEST_F(ViewedRun, BecomesTheExperimentOnlyAfterTheQuestion) {
  view();
  w.find<QPushButton>("useViewedRun")->click();
  ASSERT_TRUE(waitFor([&] { return question() != nullptr; }));
  question()->button(QMessageBox::Discard)->click();
  ASSERT_TRUE(waitFor([&] { return w.window->document().experiment().name == "measured"; }));
  EXPECT_TRUE(waitFor([&] { return w.record() != nullptr; })) << "the run remains shown";
  EXPECT_FALSE(bar()->isVisible());
}

TEST_F(ViewedRun, AFileIsReadBeforeAnyQuestion) {
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/README.md"));
  ASSERT_TRUE(waitFor([&] { return w.window->messages().isVisible(); }));
  EXPECT_EQ(w.window->messages().kind(), MessageStrip::Kind::Error);
  EXPECT_EQ(question(), nullptr);
}

TEST_F(ViewedRun, ATraceReplacesNoExperimentSoNothingIsAsked) {
  const Experiment edited = w.window->document().experiment();
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  ASSERT_TRUE(waitFor([&] { return timeline().trace() != nullptr; })) << message();
  EXPECT_EQ(question(), nullptr);
  EXPECT_EQ(w.window->document().experiment(), edited);
}

}  // namespace
}  // namespace lanelab::test
