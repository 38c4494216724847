// SPDX-License-Identifier: GPL-3.0-only
// A trace of another program in the window: its rows, and why its lanes stood idle.
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTreeWidget>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/perfetto_writer.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/temporary_folder.h"
#include "ui/look/elided_label.h"
#include "ui/look/message_strip.h"
#include "ui/timeline/details/details_pane.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

TEST(ImportedTraceWindow, ShowsATraceOfTorchProfilerAndItsGaps) {
  const WindowWorld w;
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; })) << w.window->messages().sentence().toStdString();
  ASSERT_TRUE(waitFor([&] { return w.find<QTableWidget>("idleLanes")->rowCount() > 0; }));
  EXPECT_GT(w.find<QTableWidget>("idleGaps")->rowCount(), 0);
  EXPECT_FALSE(w.find<QTableWidget>("idleGaps")->item(0, 6)->text().isEmpty());
  w.window->openExperiment(test::smallExperiment(), {});
  EXPECT_EQ(timeline->trace(), nullptr) << "an experiment takes its place";
}

TEST(ImportedTraceWindow, SaysWhatGapsAndImportSay) {
  const WindowWorld w;
  const std::string path = w.place.filePath("gpu.json").toStdString();
  test::writeContent(path, R"({"traceEvents":[
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":2,"tid":1,"ts":11,"dur":5,"args":{"correlation":1}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":20,"dur":30,"args":{"correlation":1,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":300,"dur":50,"args":{"correlation":8,"device":0,"stream":7}},
{"ph":"X","cat":"kernel","name":"c","pid":0,"tid":7,"ts":"x","dur":50,"args":{"correlation":8,"device":0,"stream":7}}
]})");
  w.window->openPath(QString::fromStdString(path));
  const auto says = [&](const char* part) {
    return waitFor([&] { return w.window->messages().sentence().contains(QString::fromUtf8(part)); });
  };
  for (const char* part :
       {"1 event of this file could not be used", "50.0 µs, is outside of the steps",
        "Kernels without a launch call in this file: 1.", "Kernels whose launch calls are ambiguous: 1."})
    EXPECT_TRUE(says(part)) << part << " is not in " << w.window->messages().sentence().toStdString();
}

TEST(ImportedTraceWindow, IsNamedAboveTheCentreUntilItIsClosed) {
  const WindowWorld w;
  auto* const bar = w.find<QWidget>("viewedRunBar");
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; }));
  EXPECT_TRUE(bar->isVisible());
  EXPECT_EQ(w.find<ElidedLabel>("viewedRunText")->text(), "Viewing trace kernels.json.");
  EXPECT_FALSE(w.find<QPushButton>("useViewedRun")->isVisible());
  EXPECT_TRUE(w.window->action("closeRun")->isEnabled());
  w.find<QPushButton>("closeViewedRun")->click();
  EXPECT_EQ(timeline->trace(), nullptr);
  EXPECT_FALSE(bar->isVisible());
}

/// The first span of that name.
SpanRef spanNamed(const std::shared_ptr<const Trace>& trace, const std::string& name) {
  const TimelineData data(trace);
  for (std::size_t row = 0; row < data.rows().size(); ++row)
    for (std::size_t i = 0; i < data.rows()[row].spans.size(); ++i)
      if (trace->nameOf(data.span({row, i})) == name) return {row, i};
  ADD_FAILURE() << "no span " << name;
  return {};
}

TEST(ImportedTraceWindow, DetailsOfASpanShowTheArgumentsOfItsFileAndTheIdleTimeBefore) {
  const WindowWorld w;
  w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; }));
  timeline->moves().goTo(spanNamed(timeline->trace(), "void gemm<11>()"));
  const auto* const pane = w.window->findChild<DetailsPane*>();
  ASSERT_NE(pane, nullptr);
  ASSERT_TRUE(waitFor([&] { return pane->details() && !pane->details()->arguments.empty(); }));
  const std::vector<std::pair<QString, QString>> expected = {
      {"device", "0"}, {"context", "1"}, {"stream", "7"}, {"correlation", "11"}};
  EXPECT_EQ(pane->details()->arguments, expected);
  ASSERT_TRUE(pane->details()->idle);
  EXPECT_EQ(pane->details()->idle->length, 500);
  ASSERT_FALSE(pane->details()->waited_for.empty());
  EXPECT_EQ(pane->details()->waited_for.front().title, QStringLiteral("cudaLaunchKernel"));
}

TEST(ImportedTraceWindow, DetailsOfASpanShowTheAnnotationsOfAPerfettoFile) {
  const WindowWorld w;
  const auto imported = importTrace(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json");
  ASSERT_TRUE(imported.ok()) << imported.error().message;
  const QString file = w.place.filePath("kernels.pftrace");
  ASSERT_TRUE(writePerfettoTrace(**imported, file.toStdString()).ok());
  w.window->openPath(file);
  auto* const timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(waitFor([&] { return timeline->trace() != nullptr; }));
  timeline->moves().goTo(spanNamed(timeline->trace(), "void gemm<11>()"));
  const auto* const pane = w.window->findChild<DetailsPane*>();
  ASSERT_NE(pane, nullptr);
  ASSERT_TRUE(waitFor([&] { return pane->details() && !pane->details()->arguments.empty(); }));
  const std::pair<QString, QString> correlation{"correlation", "11"};
  EXPECT_EQ(std::ranges::count(pane->details()->arguments, correlation), 1);
}

/// Forgets what the window stores of rows.
class ImportedRows : public ::testing::Test {
 protected:
  ImportedRows() { forget(); }
  ~ImportedRows() override { forget(); }
  static void forget() {
    QSettings settings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab");
    for (const RowKind kind : kChosenRowKinds) {
      settings.remove("timeline/" + QString::fromStdString(toWord(kind)));
      settings.remove("timeline/imported-" + QString::fromStdString(toWord(kind)));
    }
  }
};

TEST_F(ImportedRows, ARunHasItsOwnRowsAgainAfterAnImportedTrace) {
  const WindowWorld w;
  auto* const timeline = w.find<TimelineView>("timeline");
  const auto shows = [&](RowKind kind) { return timeline->arrangement().shows(kind); };
  const auto open = [&] {
    w.window->openPath(QStringLiteral(LANELAB_SOURCE_DIR "/tests/data/gaps/kernels.json"));
    return waitFor([&] { return timeline->trace() && shows(RowKind::Operators); });
  };
  ASSERT_TRUE(open()) << w.window->messages().sentence().toStdString();
  EXPECT_TRUE(shows(RowKind::Blocks));
  EXPECT_TRUE(shows(RowKind::HostThreads));
  w.trigger("rows-counters");
  ASSERT_TRUE(w.runToTheEnd());
  for (const RowKind kind : {RowKind::Blocks, RowKind::Operators, RowKind::HostThreads, RowKind::Counters})
    EXPECT_FALSE(shows(kind)) << toWord(kind);
  EXPECT_FALSE(w.window->action("rows-blocks")->isChecked());
  ASSERT_TRUE(open());
  EXPECT_FALSE(shows(RowKind::Counters)) << "what was chosen for imported traces";
  EXPECT_TRUE(shows(RowKind::Blocks));
}

TEST(ImportedTraceWindow, SaysWhatIsWrongWithAFileThatIsNoTrace) {
  const WindowWorld w;
  const QString path = w.place.filePath("broken.json");
  QFile file(path);
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("[ nothing");
  file.close();
  w.window->openPath(path);
  ASSERT_TRUE(waitFor([&] { return w.window->messages().sentence().contains("broken.json"); }))
      << w.window->messages().sentence().toStdString();
}

}  // namespace
}  // namespace lanelab
