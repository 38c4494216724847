// SPDX-License-Identifier: GPL-3.0-only
// The window in the situations a person brings it into.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "base/atomic_file.h"
#include "engine/library/run_archive.h"
#include "engine/library/run_query.h"
#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/charts/comparison_view.h"
#include "ui/look/elided_label.h"
#include "ui/schedule/schedule_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

TEST(RunningWindow, NeitherTabsNorFormMoveWhenARunBegins) {
  const test::WindowWorld w(test::slow(std::chrono::milliseconds(20)));
  const auto places = [&] {
    const auto& tabs = *w.find<QTabBar>("variantTabs");
    std::vector<QRect> found;
    for (int i = 0; i < tabs.count(); ++i) found.push_back(tabs.tabRect(i));
    const auto& page = *w.find<QWidget>("experimentPage");
    found.push_back(QRect(page.mapTo(w.window.get(), QPoint()), QSize()));
    return found;
  };
  QApplication::processEvents();  // panes are laid out after the first resize
  const std::vector<QRect> before = places();
  w.trigger("run");
  ASSERT_TRUE(test::waitFor(
      [&] { return !w.window->controller().running() || w.find<QLabel>("runningSentence")->isVisible(); }));
  EXPECT_TRUE(w.window->controller().running());
  EXPECT_EQ(places(), before);
  w.trigger("cancel");
  ASSERT_TRUE(test::waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_EQ(places(), before);
}

TEST(RunningWindow, TheEndOfARunIsForgottenWithItsExperiment) {
  const test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  EXPECT_EQ(w.find<QLabel>("progressWords")->text(), "Done");
  w.window->openExperiment(test::smallExperiment(), {});
  EXPECT_EQ(w.find<QLabel>("progressWords")->text(), "");
}

using test::slow;
using test::smallExperiment;
using test::waitFor;
using test::WindowWorld;

void drop(QWidget& window, const QString& path) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &enter);
  ASSERT_TRUE(enter.isAccepted());
  QDropEvent event(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QApplication::sendEvent(&window, &event);
}

TEST(MainWindow, StartsWithTheExampleReadyToRun) {
  WindowWorld w;
  EXPECT_TRUE(w.window->windowTitle().startsWith("small"));
  EXPECT_FALSE(w.window->isWindowModified());
  EXPECT_TRUE(w.window->action("run")->isEnabled());
  EXPECT_FALSE(w.window->action("cancel")->isEnabled());
  EXPECT_EQ(w.find<QTabBar>("variantTabs")->count(), 3);
  EXPECT_EQ(w.find<QLabel>("deviceSentence")->text(), "2 CPU cores, no GPU: lanes are CPU cores");
  EXPECT_FALSE(w.window->messages().isVisible());
}

TEST(MainWindow, DeviceSentenceCountsGpus) {
  EXPECT_EQ(deviceSentence({{Device::cpu(0), ""}}), "1 CPU core, no GPU: lanes are CPU cores");
  EXPECT_EQ(deviceSentence({{Device::cpu(0), ""}, {Device::cpu(1), ""}, {Device::cuda(0), ""}}), "2 CPU cores, 1 GPU");
}

TEST(MainWindow, RunShowsTimelineComparisonAndTheRunInTheList) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(w.record()) << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_EQ(w.find<QTableWidget>("comparisonTable")->rowCount(), 3);
  auto* timeline = w.find<TimelineView>("timeline");
  // The run may be over before its last snapshot was drawn: the file then brings the whole of it.
  EXPECT_TRUE(waitFor([&] {
    return w.find<ElidedLabel>("traceHeadline")->text().startsWith("Pipeline, measured, 2 steps: idle ");
  })) << w.find<ElidedLabel>("traceHeadline")->text().toStdString();
  ASSERT_TRUE(timeline->trace());
  EXPECT_EQ(timeline->trace()->title, "Pipeline");
  EXPECT_TRUE(waitFor([&] { return w.find<QTableView>("runs")->model()->rowCount() == 1; }));
}

TEST(MainWindow, ChoosingAVariantShowsItsTimeline) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.find<QTabBar>("variantTabs")->setCurrentIndex(0);
  EXPECT_TRUE(waitFor([&] {
    return w.find<TimelineView>("timeline")->trace() && w.find<TimelineView>("timeline")->trace()->title == "Single";
  }));
}

TEST(MainWindow, EditAfterTheRunIsSaidOverTheTimeline) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  EXPECT_TRUE(waitFor([&] { return w.find<ElidedLabel>("traceHeadline")->text().contains("before your last edits"); }));
  EXPECT_TRUE(w.window->isWindowModified());
}

TEST(MainWindow, BadValueIsNamedInsteadOfRun) {
  WindowWorld w;
  w.window->document().edit("split", [](Experiment& e) { e.variants[2].split_size = 99; });
  w.trigger("run");
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_TRUE(w.window->messages().isVisible());
  EXPECT_TRUE(w.window->messages().sentence().contains("split_size")) << w.window->messages().sentence().toStdString();
}

TEST(MainWindow, RunThatDoesNotFitIsStartedOnlyByRunAnyway) {
  FakeBehaviour behaviour;
  for (DeviceInfo& device : behaviour.devices) device.memory_bytes = 1 << 20;
  WindowWorld w(behaviour);
  w.trigger("run");
  auto* box = w.find<QMessageBox>("memoryBox");
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->informativeText().contains("1 MiB are free")) << box->informativeText().toStdString();
  box->button(QMessageBox::Cancel)->click();
  EXPECT_FALSE(w.window->controller().running());
  ASSERT_TRUE(waitFor([&] { return w.window->findChild<QMessageBox*>("memoryBox") == nullptr; }));
  w.trigger("run");
  box = w.find<QMessageBox>("memoryBox");
  ASSERT_NE(box, nullptr);
  for (QAbstractButton* button : box->buttons())
    if (box->buttonRole(button) == QMessageBox::AcceptRole) button->click();
  EXPECT_TRUE(w.window->controller().running());
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  ASSERT_NE(w.record(), nullptr);
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_FALSE(w.record()->warnings.empty());
}

TEST(MainWindow, FailedRunSaysItsSentenceAndKeepsItsTimeline) {
  FakeBehaviour behaviour = slow(std::chrono::milliseconds(1));
  std::atomic<int> updates{0};
  behaviour.before = [&](LaneId, const Action& action, int) {
    if (action.kind == ActionKind::Update && ++updates == 6) throw std::runtime_error("the disk of dreams is full");
  };
  WindowWorld w(behaviour);
  ASSERT_TRUE(w.runToTheEnd());
  EXPECT_TRUE(w.window->messages().isVisible());
  EXPECT_EQ(w.window->messages().kind(), MessageStrip::Kind::Error);
  EXPECT_TRUE(w.window->messages().sentence().contains("the disk of dreams is full"))
      << w.window->messages().sentence().toStdString();
  auto* timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(timeline->trace());
  EXPECT_GT(timeline->trace()->spanCount(), 0U);
  EXPECT_TRUE(w.window->action("run")->isEnabled());
  EXPECT_TRUE(waitFor([&] { return w.find<ElidedLabel>("traceHeadline")->text().contains("U failed on cpu:"); }))
      << w.find<ElidedLabel>("traceHeadline")->text().toStdString();
}

TEST(MainWindow, CancelByKeyKeepsWhatWasMeasured) {
  WindowWorld w(slow(std::chrono::milliseconds(1)));
  QTest::keyClick(w.window.get(), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  QTest::keyClick(w.window.get(), Qt::Key_Period, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_EQ(w.record()->status, RunStatus::Cancelled);
  EXPECT_TRUE(w.window->messages().sentence().contains("cancelled"));
  EXPECT_TRUE(w.find<TimelineView>("timeline")->trace());
}

TEST(MainWindow, WhileRunningNothingCanBeEditedOrOpened) {
  WindowWorld w(slow(std::chrono::milliseconds(1)));
  w.trigger("run");
  for (const char* name : {"run", "new", "open", "undo", "addLane"})
    EXPECT_FALSE(w.window->action(name)->isEnabled()) << name;
  EXPECT_FALSE(w.find<QComboBox>("schedule")->isEnabled());
  w.window->openPath(w.place.path());
  EXPECT_TRUE(w.window->messages().sentence().contains("Cancel it (Ctrl+.)"));
  w.trigger("cancel");
  EXPECT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_TRUE(w.window->action("new")->isEnabled());
}

TEST(MainWindow, ClosingWhileRunningAsksAndKeepsOnOrStops) {
  WindowWorld w(slow(std::chrono::milliseconds(1)));
  w.trigger("run");
  w.window->close();
  EXPECT_TRUE(w.window->isVisible());
  QTest::mouseClick(w.find<QPushButton>("keepRunning"), Qt::LeftButton);
  EXPECT_TRUE(w.window->controller().running());
  EXPECT_TRUE(waitFor([&] { return !w.window->findChild<QMessageBox*>("stopBox"); }));
  w.window->close();
  QTest::mouseClick(w.find<QPushButton>("stopAndQuit"), Qt::LeftButton);
  EXPECT_TRUE(waitFor([&] { return !w.window->isVisible(); }));
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_EQ(w.record()->status, RunStatus::Cancelled);
}

TEST(MainWindow, ClosingWithUnsavedEditsAsks) {
  WindowWorld w;
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  w.window->close();
  ASSERT_TRUE(w.window->isVisible());
  auto* box = w.find<QMessageBox>("unsavedBox");
  QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
  EXPECT_TRUE(w.window->isVisible());
  EXPECT_TRUE(waitFor([&] { return !w.window->findChild<QMessageBox*>("unsavedBox"); }));
  w.window->close();
  QTest::mouseClick(w.find<QMessageBox>("unsavedBox")->button(QMessageBox::Discard), Qt::LeftButton);
  EXPECT_TRUE(waitFor([&] { return !w.window->isVisible(); }));
}

TEST(MainWindow, DroppedExperimentOpens) {
  WindowWorld w;
  auto other = smallExperiment();
  other.name = "dropped";
  const QString path = w.place.filePath("other.json");
  ASSERT_TRUE(writeFileAtomically(path.toStdString(), toJson(other)).ok());
  drop(*w.window, path);
  EXPECT_TRUE(waitFor([&] { return w.window->windowTitle().startsWith("dropped"); }));
  EXPECT_EQ(WindowSettings().recentFiles().value(0), QFileInfo(path).absoluteFilePath());
}

TEST(MainWindow, DroppedRunFolderShowsTheRunAgain) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const QString folder = w.window->shownRun().folder();
  w.trigger("new");
  EXPECT_FALSE(w.record());
  EXPECT_FALSE(w.find<TimelineView>("timeline")->trace());
  drop(*w.window, folder);
  ASSERT_TRUE(waitFor([&] { return w.record() != nullptr; }));
  EXPECT_FALSE(w.window->windowTitle().startsWith("small")) << "the new experiment remains open";
  EXPECT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  EXPECT_EQ(w.find<QTableWidget>("comparisonTable")->rowCount(), 3);
}

TEST(MainWindow, BadFilesAreNamedAndChangeNothing) {
  WindowWorld w;
  const QString path = w.place.filePath("bad.json");
  ASSERT_TRUE(writeFileAtomically(path.toStdString(), "{ \"name\": \"x\", \"modle\": {} }").ok());
  w.window->openPath(path);
  ASSERT_TRUE(waitFor([&] { return w.window->messages().isVisible(); }));
  EXPECT_TRUE(w.window->messages().sentence().contains("modle")) << w.window->messages().sentence().toStdString();
  EXPECT_TRUE(w.window->windowTitle().startsWith("small"));
  w.window->messages().clear();
  w.window->openPath(w.place.filePath("nowhere.json"));
  EXPECT_TRUE(w.window->messages().sentence().contains("does not exist"));
  w.window->messages().clear();
  w.window->openPath(w.place.path());
  ASSERT_TRUE(waitFor([&] { return w.window->messages().isVisible(); }));
  EXPECT_EQ(w.window->messages().kind(), MessageStrip::Kind::Error);
}

TEST(MainWindow, SeveralRunsAreComparedFromTheList) {
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

TEST(MainWindow, ADeletedRunIsRestoredFromTheMessage) {
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
      [model = w.window->document().model()](const Experiment& experiment, const TrainingModes&) {
        BlockTimes times = estimatedBlockTimes(experiment, model);
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

TEST(MainWindow, AMeasuredPointGoesWithItsRunAndComesBackWithIt) {
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

TEST(MainWindow, AMeasuredPointComesWithAnImportedRun) {
  WindowWorld w;
  runWithAPoint(w);
  const QString archive = w.place.filePath("run.zip");
  const std::string folder = w.place.filePath("runs").toStdString() + "/" + w.record()->id;
  ASSERT_TRUE(writeRunArchive(folder, {}, archive.toStdString()).ok());
  deleteMeasured(w);
  w.window->openPath(archive);
  EXPECT_TRUE(waitFor([&] { return measuredPoints(w) == 1; })) << w.window->messages().sentence().toStdString();
}

TEST(MainWindow, TwoRunsAreComparedWithTheSettingsThatDiffer) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("batch", [](Experiment& e) { e.data.batch *= 2; });
  ASSERT_TRUE(w.runToTheEnd());
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 2; }));
  runs->selectAll();
  w.trigger("compareRuns");
  ASSERT_TRUE(waitFor([&] { return w.window->findChild<QDialog*>("runsComparison") != nullptr; }));
  auto* dialog = w.find<QDialog>("runsComparison");
  const auto* settings = dialog->findChild<QTableWidget*>("differingSettings");
  EXPECT_FALSE(settings->findItems("Batch", Qt::MatchExactly).isEmpty());
  EXPECT_NE(settings->horizontalHeaderItem(1)->text(), settings->horizontalHeaderItem(2)->text())
      << "runs of one name by their times, or ids within one second";
  EXPECT_TRUE(
      dialog->findChild<QLabel*>("comparability")->text().startsWith("The runs compare per sample only: batch"));
  EXPECT_EQ(dialog->findChild<QTableWidget*>("comparisonTable")->rowCount(), 6);
  EXPECT_NE(dialog->findChild<LossView*>()->csv().find("Pipeline"), std::string::npos);
}

TEST(MainWindow, LossesByUnlikeFunctionsAreNotDrawnOnOneAxis) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("loss", [](Experiment& e) { e.training.loss = Loss::CrossEntropy; });
  ASSERT_TRUE(w.runToTheEnd());
  auto* runs = w.find<QTableView>("runs");
  ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 2; }));
  runs->selectAll();
  w.trigger("compareRuns");
  ASSERT_TRUE(waitFor([&] { return w.window->findChild<QDialog*>("runsComparison") != nullptr; }));
  auto* dialog = w.find<QDialog>("runsComparison");
  EXPECT_EQ(dialog->findChild<QTableWidget*>("comparisonTable")->rowCount(), 6) << "times do compare";
  EXPECT_EQ(dialog->findChild<LossView*>(), nullptr);
  EXPECT_TRUE(dialog->findChild<QLabel*>("lossesApart")->text().contains("loss functions"));
}

TEST(MainWindow, DamagedRunIsListedWithItsError) {
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

TEST(MainWindow, ScheduleChoiceIsAnUndoableEdit) {
  WindowWorld w;
  auto* schedule = w.find<QComboBox>("schedule");
  ASSERT_TRUE(schedule->isEnabled());
  const auto before = w.window->document().experiment();
  schedule->setFocus();
  QTest::keyClick(schedule, schedule->currentIndex() == 0 ? Qt::Key_Down : Qt::Key_Up);
  EXPECT_NE(w.window->document().experiment(), before);
  w.trigger("undo");
  EXPECT_EQ(w.window->document().experiment(), before);
  w.find<QTabBar>("variantTabs")->setCurrentIndex(0);
  EXPECT_FALSE(schedule->isEnabled()) << "a single device has no schedule";
}

TEST(MainWindow, AnEditedOrderRuns) {
  WindowWorld w;
  auto& document = w.window->document();
  document.setActiveVariant(2);
  w.find<QDockWidget>("scheduleDock")->raise();
  auto* view = w.find<ScheduleView>("scheduleView");
  view->setFocus();
  view->choose(0, 2);
  QTest::keyClick(view, Qt::Key_Right, Qt::ControlModifier);
  ASSERT_TRUE(document.experiment().variants[2].actions.has_value());
  EXPECT_EQ(w.find<QComboBox>("schedule")->currentIndex(), -1) << "no schedule of the list any more";
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_NE(w.record(), nullptr);
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_EQ(w.record()->experiment.variants[2].actions, document.experiment().variants[2].actions);
  EXPECT_TRUE(w.record()->variants[2].bound.has_value());
}

TEST(MainWindow, MeasuredStageTimesMakeAScheduleByThem) {
  WindowWorld w;
  auto& document = w.window->document();
  document.setActiveVariant(2);
  EXPECT_FALSE(w.window->action("useStageTimes")->isEnabled()) << "nothing measured yet";
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(waitFor([&] { return w.window->action("useStageTimes")->isEnabled(); }));
  w.trigger("useStageTimes");
  const VariantConfig& variant = document.experiment().variants[2];
  EXPECT_EQ(variant.schedule, ScheduleKind::List);
  ASSERT_TRUE(variant.stage_times.has_value());
  EXPECT_EQ(variant.stage_times->size(), 2u);
  EXPECT_TRUE(document.problems().empty());
  document.setActiveVariant(0);
  EXPECT_FALSE(w.window->action("useStageTimes")->isEnabled()) << "a single device has no schedule";
}

TEST(MainWindow, F6VisitsEveryVisiblePane) {
  WindowWorld w;
  QSet<QWidget*> visited;
  for (int i = 0; i < 12; ++i) {
    QTest::keyClick(w.window.get(), Qt::Key_F6);
    QWidget* focus = QApplication::focusWidget();
    ASSERT_NE(focus, nullptr);
    for (QWidget* up = focus; up; up = up->parentWidget())
      if (qobject_cast<QDockWidget*>(up) || up->objectName() == "board" || up->objectName() == "timeline")
        visited.insert(up);
  }
  for (const char* pane : {"board", "timeline", "experimentDock"})
    EXPECT_TRUE(visited.contains(w.find<QWidget>(pane))) << pane;
}

TEST(MainWindow, BrokenSettingsGiveTheDefaultLayout) {
  WindowSettings().setLayout("nonsense", "nonsense", "nonsense");
  WindowWorld w;
  for (const char* dock : {"runsDock", "experimentDock", "stagesDock"})
    EXPECT_TRUE(w.find<QDockWidget>(dock)->isVisible()) << dock;
  EXPECT_GE(w.window->width(), 960);
}

TEST(MainWindow, ClosedPaneComesBackWithResetLayout) {
  WindowWorld w;
  w.find<QDockWidget>("runsDock")->close();
  EXPECT_FALSE(w.find<QDockWidget>("runsDock")->isVisible());
  w.trigger("resetLayout");
  EXPECT_TRUE(w.find<QDockWidget>("runsDock")->isVisible());
}

/// Each update of the weights waits for the next beat of a timer on the window's thread. A window that stood still
/// while a lane computes would let the lane wait in vain.
TEST(MainWindow, KeepsItsHeartbeatWhileRunning) {
  constexpr auto kLongestPause = std::chrono::milliseconds(500);  // the aim is 100; a busy machine gets more room
  std::atomic<int> beats{0}, awaited{0}, missed{0};
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action& action, int) {
    if (action.kind != ActionKind::Update) return;
    ++awaited;
    const auto limit = std::chrono::steady_clock::now() + kLongestPause;
    for (const int seen = beats; beats == seen; std::this_thread::sleep_for(std::chrono::milliseconds(1)))
      if (std::chrono::steady_clock::now() > limit) {
        ++missed;
        return;
      }
  };
  WindowWorld w(behaviour);
  QTimer beat;
  QObject::connect(&beat, &QTimer::timeout, [&] { ++beats; });
  beat.start(20);
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_NE(w.record(), nullptr) << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_GE(awaited, 3 * (5 + 1) * 2) << "a variant, a repeat with its warm-up and a step each";
  EXPECT_EQ(missed, 0) << "of " << awaited << " updates that waited for the window";
}

TEST(MainWindow, ACancelledRunGoesOnWhereItStopped) {
  test::WindowWorld w(test::slow(std::chrono::milliseconds(2)));
  w.trigger("example-Small");
  EXPECT_FALSE(w.window->action("resume")->isEnabled());
  w.trigger("run");
  ASSERT_TRUE(test::waitFor([&] { return w.find<QProgressBar>("progressBar")->value() >= 300; }));
  w.trigger("cancel");
  ASSERT_TRUE(test::waitFor([&] { return !w.window->controller().running(); }));
  ASSERT_EQ(w.record()->status, RunStatus::Cancelled);
  const QString folder = w.window->shownRun().folder();
  std::vector<std::vector<double>> before;
  for (const VariantRecord& variant : w.record()->variants) {
    before.emplace_back();
    for (const RepeatRecord& repeat : variant.repeats) before.back().push_back(repeat.seconds);
  }
  w.trigger("resume");
  ASSERT_TRUE(test::waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_EQ(w.window->shownRun().folder(), folder);
  for (std::size_t v = 0; v < before.size(); ++v) {
    ASSERT_EQ(w.record()->variants[v].repeats.size(), 5u);
    for (std::size_t i = 0; i < before[v].size(); ++i)
      EXPECT_EQ(w.record()->variants[v].repeats[i].seconds, before[v][i]);
  }
  EXPECT_FALSE(w.window->action("resume")->isEnabled());
}

/// The variant whose tab is marked; empty for none.
QString markedVariant(const QTabBar& tabs) {
  for (int i = 0; i < tabs.count(); ++i)
    if (!tabs.tabToolTip(i).isEmpty()) return tabs.tabText(i);
  return {};
}

TEST(MainWindow, TheVariantThatRunsIsNamedOnceAndItsTabIsMarked) {
  const WindowWorld w(slow(std::chrono::milliseconds(5)));
  auto* const tabs = w.find<QTabBar>("variantTabs");
  auto* const headline = w.find<ElidedLabel>("traceHeadline");
  QStringList headlines, marked;
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, [&] {
    headlines.append(headline->text());
    marked.append(markedVariant(*tabs));
  });
  look.start(5);
  ASSERT_TRUE(w.runToTheEnd());
  look.stop();
  const QStringList live = headlines.filter(", live: ");
  EXPECT_FALSE(live.isEmpty());
  for (const QString& sentence : live) {
    int names = 0;
    for (const char* variant : {"Single", "Model parallel", "Pipeline"}) names += sentence.count(variant);
    EXPECT_EQ(names, 1) << sentence.toStdString();
  }
  for (const char* variant : {"Single", "Model parallel", "Pipeline"}) EXPECT_TRUE(marked.contains(variant)) << variant;
  EXPECT_EQ(markedVariant(*tabs), QString()) << "nothing runs any more";
  EXPECT_FALSE(tabs->tabIcon(0).isNull()) << "its room stays, so that no tab moves";
}

}  // namespace
}  // namespace lanelab
