// SPDX-License-Identifier: GPL-3.0-only
// The window as it starts, opens and edits files, and closes.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>
#include <QToolBar>

#include "base/atomic_file.h"
#include "tests/gui/window/window_world.h"
#include "ui/schedule/schedule_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

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
  box = w.find<QMessageBox>("unsavedBox");
  EXPECT_GE(box->width(), 380) << "room for the title, and for the buttons beside it";
  for (const auto& [button, mnemonic] :
       {std::pair(QMessageBox::Save, "Alt+S"), {QMessageBox::Discard, "Alt+D"}, {QMessageBox::Cancel, "Alt+C"}})
    EXPECT_EQ(box->button(button)->shortcut(), QKeySequence(mnemonic));
  QTest::mouseClick(box->button(QMessageBox::Discard), Qt::LeftButton);
  EXPECT_TRUE(waitFor([&] { return !w.window->isVisible(); }));
}

TEST(MainWindow, TheKeyOfTheMicroBatchSizeSelectsTheNumberForTheNextDigits) {
  WindowWorld w;
  auto* const number =
      w.find<QToolBar>("mainToolBar")->findChild<QSpinBox*>("splitSizeNumber");  // the form has another
  ASSERT_NE(number, nullptr);
  w.trigger("splitSize");
  ASSERT_TRUE(waitFor([&] { return number->hasFocus(); }));
  QTest::keyClick(number, Qt::Key_1);
  QTest::keyClick(number, Qt::Key_Return);
  EXPECT_EQ(number->value(), 1);
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
  EXPECT_TRUE(waitFor([&] { return w.window->messages().kind() == MessageStrip::Kind::Error; }));
  EXPECT_TRUE(w.window->messages().sentence().contains("bad.json")) << w.window->messages().sentence().toStdString();
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

}  // namespace
}  // namespace lanelab
