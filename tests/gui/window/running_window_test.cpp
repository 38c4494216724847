// SPDX-License-Identifier: GPL-3.0-only
// The window while something runs in it, and after that.
#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "tests/gui/window/window_world.h"
#include "ui/look/elided_label.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::slow;
using test::smallExperiment;
using test::waitFor;
using test::WindowWorld;

TEST(RunningWindow, NeitherTabsNorFormMoveWhenARunBegins) {
  const WindowWorld w(slow(std::chrono::milliseconds(20)));
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
  ASSERT_TRUE(
      waitFor([&] { return !w.window->controller().running() || w.find<QLabel>("runningSentence")->isVisible(); }));
  EXPECT_TRUE(w.window->controller().running());
  EXPECT_EQ(places(), before);
  w.trigger("cancel");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_EQ(places(), before);
}

TEST(RunningWindow, TheEndOfARunIsForgottenWithItsExperiment) {
  const WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  EXPECT_EQ(w.find<QLabel>("progressWords")->text(), "Done");
  w.window->openExperiment(smallExperiment(), {});
  EXPECT_EQ(w.find<QLabel>("progressWords")->text(), "");
}

TEST(RunningWindow, RunShowsTimelineComparisonAndTheRunInTheList) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(w.record()) << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_EQ(w.find<QTableWidget>("comparisonTable")->rowCount(), 3);
  auto* timeline = w.find<TimelineView>("timeline");
  // The run may be over before its last snapshot was drawn: the file then brings the whole of it.
  EXPECT_TRUE(waitFor([&] {
    const QString text = w.find<ElidedLabel>("traceHeadline")->text();  // which may name lanes without a core
    return text.startsWith("Pipeline, measured, 2 steps") && text.contains(": idle ");
  })) << w.find<ElidedLabel>("traceHeadline")->text().toStdString();
  ASSERT_TRUE(timeline->trace());
  EXPECT_EQ(timeline->trace()->title, "Pipeline");
  EXPECT_TRUE(waitFor([&] { return w.find<QTableView>("runs")->model()->rowCount() == 1; }));
}

TEST(RunningWindow, ChoosingAVariantShowsItsTimeline) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.find<QTabBar>("variantTabs")->setCurrentIndex(0);
  EXPECT_TRUE(waitFor([&] {
    return w.find<TimelineView>("timeline")->trace() && w.find<TimelineView>("timeline")->trace()->title == "Single";
  }));
}

TEST(RunningWindow, EditAfterTheRunIsSaidOverTheTimeline) {
  WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  EXPECT_TRUE(waitFor([&] { return w.find<ElidedLabel>("traceHeadline")->text().contains("before your last edits"); }));
  EXPECT_TRUE(w.window->isWindowModified());
}

TEST(RunningWindow, BadValueIsNamedInsteadOfRun) {
  WindowWorld w;
  w.window->document().edit("split", [](Experiment& e) { e.variants[2].split_size = 99; });
  w.trigger("run");
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_TRUE(w.window->messages().isVisible());
  EXPECT_TRUE(w.window->messages().sentence().contains("split_size")) << w.window->messages().sentence().toStdString();
}

TEST(RunningWindow, RunThatDoesNotFitIsStartedOnlyByRunAnyway) {
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

TEST(RunningWindow, FailedRunSaysItsSentenceAndKeepsItsTimeline) {
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

TEST(RunningWindow, CancelByKeyKeepsWhatWasMeasured) {
  WindowWorld w(slow(std::chrono::milliseconds(1)));
  QTest::keyClick(w.window.get(), Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return w.find<TimelineView>("timeline")->trace() != nullptr; }));
  QTest::keyClick(w.window.get(), Qt::Key_Period, Qt::ControlModifier);
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_EQ(w.record()->status, RunStatus::Cancelled);
  EXPECT_TRUE(w.window->messages().sentence().contains("cancelled"));
  EXPECT_TRUE(w.find<TimelineView>("timeline")->trace());
}

TEST(RunningWindow, WhileRunningNothingCanBeEditedOrOpened) {
  WindowWorld w(slow(std::chrono::milliseconds(1)));
  w.trigger("run");
  for (const char* name : {"new", "open", "undo", "addLane", "resume"})
    EXPECT_FALSE(w.window->action(name)->isEnabled()) << name;
  EXPECT_EQ(w.window->action("run")->text().remove('&'), "Run Next") << "it queues";
  EXPECT_FALSE(w.find<QComboBox>("schedule")->isEnabled());
  w.window->openPath(w.place.path());
  EXPECT_TRUE(w.window->messages().sentence().contains("Cancel it (Ctrl+.)"));
  w.trigger("cancel");
  EXPECT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_TRUE(w.window->action("new")->isEnabled());
}

TEST(RunningWindow, ClosingWhileRunningAsksAndKeepsOnOrStops) {
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

TEST(RunningWindow, KeepsItsHeartbeatWhileRunning) {
  constexpr auto kLongestPause = std::chrono::milliseconds(500);  // the aim is 100; a busy machine gets more room
  std::mutex mutex;
  std::condition_variable beaten;
  int beats = 0, awaited = 0, missed = 0;
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action& action, int) {
    if (action.kind != ActionKind::Update) return;
    std::unique_lock lock(mutex);
    ++awaited;
    const bool came = beaten.wait_for(lock, kLongestPause, [&, seen = beats] { return beats != seen; });
    missed += came ? 0 : 1;
  };
  WindowWorld w(behaviour);
  QTimer beat;
  QObject::connect(&beat, &QTimer::timeout, [&] {
    const std::lock_guard lock(mutex);
    ++beats;
    beaten.notify_all();
  });
  beat.start(20);
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_NE(w.record(), nullptr) << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_GE(awaited, 3 * (5 + 1) * 2) << "a variant, a repeat with its warm-up and a step each";
  // The machine may hold the window up now and then; work on its thread would hold up nearly every beat.
  EXPECT_LE(missed, awaited / 4) << "of " << awaited << " updates that waited for the window";
}

TEST(RunningWindow, ACancelledRunGoesOnWhereItStopped) {
  WindowWorld w(slow(std::chrono::milliseconds(2)));
  w.trigger("example-Small");
  EXPECT_FALSE(w.window->action("resume")->isEnabled());
  w.trigger("run");
  ASSERT_TRUE(waitFor([&] { return w.find<QProgressBar>("progressBar")->value() >= 300; }));
  w.trigger("cancel");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  ASSERT_EQ(w.record()->status, RunStatus::Cancelled);
  const QString folder = w.window->shownRun().folder();
  std::vector<std::vector<double>> before;
  for (const VariantRecord& variant : w.record()->variants) {
    before.emplace_back();
    for (const RepeatRecord& repeat : variant.repeats) before.back().push_back(repeat.seconds);
  }
  w.trigger("resume");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
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

TEST(RunningWindow, TheVariantThatRunsIsNamedOnceAndItsTabIsMarked) {
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
