// SPDX-License-Identifier: GPL-3.0-only
// A trace of another program in the window: its rows, and why its lanes stood idle.
#include <QLabel>
#include <QTableWidget>

#include "tests/gui/window/window_world.h"
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
