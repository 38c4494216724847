// SPDX-License-Identifier: GPL-3.0-only
// Long work in the window: each kind shows how far it is, can be cancelled by a button, and does not keep the window
// from closing.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <condition_variable>
#include <mutex>

#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/seen_progress.h"
#include "ui/experiment/check_dialog.h"
#include "ui/experiment/cuts_dialog.h"
#include "ui/look/work.h"
#include "ui/look/work_bar.h"
#include "ui/report/report_files.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

void untilStopped(const std::stop_token& stop) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any().wait(lock, stop, [] { return false; });
}

/// Measures one size of micro-batches, and then waits for a cancel.
FakeBehaviour endless() {
  FakeBehaviour behaviour;
  behaviour.before_size = [first = true](int, const std::stop_token& stop) mutable {
    if (!std::exchange(first, false)) untilStopped(stop);
  };
  return behaviour;
}

class LongWorkWindow : public ::testing::Test {
 protected:
  LongWorkWindow() { qputenv("LANELAB_PROFILES", m_profiles.path().toUtf8()); }
  ~LongWorkWindow() override { qunsetenv("LANELAB_PROFILES"); }

  bool nothingIsStored() const { return QDir(m_profiles.path()).isEmpty(); }

  /// The bar of this name is shown with a percentage and with Cancel.
  static bool showsProgress(const WindowWorld& w, const QString& name) {
    const auto* const bar = w.window->findChild<QProgressBar*>(name + "Bar");
    const auto* const cancel = w.window->findChild<QToolButton*>(name + "Cancel");
    const bool own = name != "progress";  // a run is cancelled in the tool bar
    return waitFor([&] { return bar->isVisible() && bar->maximum() > 0 && cancel->isVisible() == own; }) &&
           bar->text().endsWith("%") && bar->width() > 160;
  }
  static void cancel(const WindowWorld& w, const QString& name) {
    w.window->findChild<QToolButton*>(name + "Cancel")->click();
  }

  static CutsDialog* openCuts(const WindowWorld& w) {
    w.window->document().setActiveVariant(2);
    w.trigger("cuts");
    auto* const measure = w.find<QPushButton>("cutsMeasure");
    EXPECT_TRUE(waitFor([&] { return measure->isEnabled() && measure->isVisible(); }));
    measure->click();
    return w.window->findChild<CutsDialog*>();
  }

  /// Large enough that reading and writing it takes a second.
  static QString largeTrace(const WindowWorld& w) {
    QString path = w.place.filePath("large.json");
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("[");
    for (int i = 0; i < 400'000; ++i)
      file.write((i > 0 ? ",\n" : "") +
                 QByteArray(R"({"ph":"X","name":"kernel","cat":"kernel","pid":0,"tid":7,"dur":3,"ts":)") +
                 QByteArray::number(4 * i) + "}");
    file.write("]");
    return path;
  }

 private:
  QTemporaryDir m_profiles;
};

TEST_F(LongWorkWindow, MeasuringBlocksOfASweepIsShownInTheStatusBarAndCancelledByTheToolBar) {
  const WindowWorld w(endless());
  w.trigger("sweepSplitSizes");
  ASSERT_TRUE(showsProgress(w, "progress"));
  EXPECT_TRUE(waitFor([&] { return w.find<QProgressBar>("progressBar")->value() > 0; })) << "one size is done";
  EXPECT_FALSE(w.find<QToolButton>("progressCancel")->isVisible()) << "the tool bar has the one button";
  w.trigger("cancel");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_FALSE(w.find<QProgressBar>("progressBar")->isVisible());
  EXPECT_FALSE(w.find<QToolButton>("progressCancel")->isVisible());
  EXPECT_TRUE(nothingIsStored());
}

TEST_F(LongWorkWindow, WhereToCutShowsAndCancelsItsMeasurement) {
  const WindowWorld w(endless());
  const CutsDialog* const dialog = openCuts(w);
  ASSERT_TRUE(showsProgress(w, "cutsProgress"));
  EXPECT_TRUE(dialog->measuring());
  cancel(w, "cutsProgress");
  ASSERT_TRUE(waitFor([&] { return !dialog->measuring(); }));
  EXPECT_FALSE(w.find<QProgressBar>("cutsProgressBar")->isVisible());
  EXPECT_TRUE(waitFor([&] { return w.find<QPushButton>("cutsMeasure")->isEnabled(); })) << "it can be tried again";
  EXPECT_TRUE(nothingIsStored());
}

TEST_F(LongWorkWindow, ClosingTheWindowEndsAMeasurement) {
  WindowWorld w(endless());
  openCuts(w);
  ASSERT_TRUE(showsProgress(w, "cutsProgress"));
  EXPECT_TRUE(w.window->close());
  w.window.reset();
  EXPECT_TRUE(nothingIsStored());
}

TEST_F(LongWorkWindow, ACheckIsShownAndCancelledInItsDialog) {
  const EqualityCheck check = [](const Resolution&, int, const WorkControl& control) -> Result<EqualityReport> {
    control.report({"Training Single on its lanes", 1, 4});
    untilStopped(control.stop);
    return Error::cancelled("The check was cancelled.");
  };
  const WindowWorld w({}, {{"Small", test::smallExperiment()}}, check);
  w.trigger("check");
  ASSERT_TRUE(showsProgress(w, "checkProgress"));
  EXPECT_EQ(w.find<QProgressBar>("checkProgressBar")->text(), "25 %");
  cancel(w, "checkProgress");
  EXPECT_TRUE(waitFor([&] { return w.find<QLabel>("checkHeadline")->text().contains("cancelled"); }));
  EXPECT_FALSE(w.find<QTableWidget>("checkTable")->isVisible());
}

TEST_F(LongWorkWindow, ReadingAndWritingALargeTraceIsShownAndCancelled) {
  WindowWorld w;
  const QString trace = largeTrace(w);
  auto* const timeline = w.find<TimelineView>("timeline");
  w.window->openPath(trace);
  ASSERT_TRUE(showsProgress(w, "reading"));
  cancel(w, "reading");
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("cancelled"); }))
      << w.window->messages().sentence().toStdString();
  EXPECT_EQ(timeline->trace(), nullptr);
  EXPECT_FALSE(w.find<QProgressBar>("readingBar")->isVisible());

  w.window->openPath(trace);
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; }));
  const QString out = w.place.filePath("out.json.gz");
  const auto write = [&] {
    w.trigger("exportTrace");
    auto* const dialog = w.find<QFileDialog>("exportDialog");
    Q_EMIT dialog->fileSelected(out);
    dialog->close();
    ASSERT_TRUE(showsProgress(w, "writing"));
  };
  write();
  cancel(w, "writing");
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("was not written"); }))
      << w.window->messages().sentence().toStdString();
  write();
  EXPECT_TRUE(w.window->close());
  w.window.reset();
  EXPECT_EQ(QDir(w.place.path()).entryList(QDir::Files | QDir::Hidden), QStringList("large.json"));
}

TEST_F(LongWorkWindow, AReportIsPaintedInStepsAndCancelledBetweenThem) {
  const WindowWorld w;
  const QString run = w.place.filePath("run");
  test::writeMeasuredRun(run.toStdString());
  w.window->openPath(run);
  ASSERT_TRUE(waitFor([&] { return w.record() != nullptr; })) << w.window->messages().sentence().toStdString();
  QDir(w.place.path()).mkdir("out");
  w.trigger("exportFolder");
  auto* const dialog = w.find<QFileDialog>("exportFolderDialog");
  Q_EMIT dialog->fileSelected(w.place.filePath("out"));
  dialog->close();
  ASSERT_TRUE(showsProgress(w, "painting"));
  cancel(w, "painting");
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("was not written"); }))
      << w.window->messages().sentence().toStdString();
  EXPECT_TRUE(QDir(w.place.filePath("out")).isEmpty());
}

TEST(LongWork, ACancelEndsWhatWasAddedBeforeItAndNothingLater) {
  LongWork work;
  std::vector<bool> cancelled;
  const auto job = [&cancelled](bool waits) {
    return [&cancelled, waits](const WorkControl& control) -> LongWork::Then {
      if (waits) untilStopped(control.stop);
      return [&cancelled, stopped = control.stop.stop_requested()] { cancelled.push_back(stopped); };
    };
  };
  work.run(job(true));
  work.run(job(true));
  work.cancel();
  work.run(job(false));
  ASSERT_TRUE(waitFor([&] { return !work.busy(); }));
  EXPECT_EQ(cancelled, (std::vector<bool>{true, true, false}));
}

TEST(SteppedWork, CountsItsStepsAndRunsNoneAfterACancel) {
  for (const std::size_t cancel_at : {std::size_t{0}, std::size_t{2}}) {
    SteppedWork work;
    std::vector<Progress> seen;
    std::size_t done = 0;
    std::optional<Status> status;
    QObject::connect(&work, &Work::progressed, [&](const Progress& progress) { seen.push_back(progress); });
    const SteppedWork::Step step{"Writing", [&]() -> Status {
                                   if (++done == cancel_at) work.cancel();
                                   return {};
                                 }};
    ASSERT_TRUE(work.run({step, step, step, step}, [&](const Status& end) { status = end; }));
    EXPECT_FALSE(work.run({step}, [](const Status&) {})) << "one list at a time";
    ASSERT_TRUE(waitFor([&] { return status.has_value(); }));
    EXPECT_EQ(done, cancel_at == 0 ? 4 : cancel_at);
    EXPECT_EQ(status->ok(), cancel_at == 0);
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], (Progress{"Writing", static_cast<int>(i), 4}));
    EXPECT_FALSE(work.busy());
  }
}

TEST(ReportSteps, OfACancelledFolderLeaveNothing) {
  const QTemporaryDir place;
  const std::string run = place.filePath("run").toStdString();
  test::writeMeasuredRun(run);
  const auto record = std::make_shared<const RunRecord>(*readRun(run));
  const QString folder = place.filePath("out");
  const ReportFolderSteps report =
      reportFolderSteps({record, readTraces(*record, QString::fromStdString(run))}, folder);
  for (std::size_t i = 0; i + 1 < report.steps.size(); ++i) ASSERT_TRUE(report.steps[i].run().ok());
  EXPECT_TRUE(QFile::exists(folder + "/report.html"));
  EXPECT_GT(report.files->size(), 5);
  report.undo();
  EXPECT_FALSE(QFile::exists(folder));
}

}  // namespace
}  // namespace lanelab
