// SPDX-License-Identifier: GPL-3.0-only
// The menu over the timeline: finding, bookmarks that stay with the run, and two timelines on one axis.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>

#include "engine/record/bookmarks.h"
#include "tests/gui/window/window_world.h"
#include "ui/history/runs_list.h"
#include "ui/look/elided_label.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

class TimelineToolsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(w.runToTheEnd());
    timeline = w.find<TimelineView>("timeline");
    ASSERT_TRUE(test::waitFor([&] { return read() && timeline->trace() && timeline->trace()->title == "Pipeline"; }));
  }
  /// Whether all files of the run were read: each replaces what was seen while it ran.
  bool read() const {
    const ShownRun& run = w.window->shownRun();
    const auto done = [&](const char* variant) { return run.trace(variant) && !run.reads(variant); };
    return done("Single") && done("Model parallel") && done("Pipeline");
  }
  TimeRange middle() const {
    const TimeRange range = timeline->trace()->range();
    return {range.start + range.length() / 4, range.start + range.length() / 2};
  }
  std::vector<Bookmark> kept() const { return readBookmarks(w.window->shownRun().folder().toStdString()).value(); }
  /// As asked for in the list of runs.
  void align(const QString& folder) const { Q_EMIT w.window->findChild<RunsList*>()->alignRequested(folder); }
  QString headline() const { return w.find<ElidedLabel>("traceHeadline")->text(); }

  test::WindowWorld w;
  TimelineView* timeline = nullptr;
};

TEST_F(TimelineToolsTest, FindOpensTheStripAndF3GoesOn) {
  auto* strip = w.find<QWidget>("findStrip");
  EXPECT_FALSE(strip->isVisible());
  EXPECT_FALSE(w.window->action("findNext")->isEnabled());
  QTest::keyClick(w.window.get(), Qt::Key_F, Qt::ControlModifier);
  ASSERT_TRUE(strip->isVisible());
  auto* field = w.find<QLineEdit>("findField");
  EXPECT_TRUE(field->hasFocus());
  QTest::keyClicks(field, "1F0");
  ASSERT_TRUE(w.window->action("findNext")->isEnabled());
  QTest::keyClick(w.window.get(), Qt::Key_F3);
  EXPECT_TRUE(w.find<QLabel>("findCount")->text().startsWith("1 of "))
      << w.find<QLabel>("findCount")->text().toStdString();
  QTest::keyClick(field, Qt::Key_Escape);
  EXPECT_FALSE(strip->isVisible());
  EXPECT_TRUE(timeline->hasFocus());
}

TEST_F(TimelineToolsTest, ABookmarkStaysWithTheRun) {
  EXPECT_FALSE(w.window->action("bookmark")->isEnabled());
  timeline->setSelection(middle());
  QTest::keyClick(w.window.get(), Qt::Key_B, Qt::ControlModifier);
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_EQ(kept()[0].variant, "Pipeline");
  EXPECT_EQ(kept()[0].range, middle());
  EXPECT_EQ(kept()[0].name, defaultBookmarkName(*timeline->trace(), middle()));

  const QString folder = w.window->shownRun().folder();
  w.window->openExperiment(test::smallExperiment(), {});
  w.window->openPath(folder);
  ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != nullptr; }));
  w.trigger("bookmarks");
  auto* table = w.find<QTableWidget>("bookmarks");
  ASSERT_EQ(table->rowCount(), 1);
  table->item(0, 0)->setText("the gap");
  EXPECT_EQ(kept()[0].name, "the gap");
  w.find<QPushButton>("goToBookmark")->click();
  EXPECT_EQ(timeline->visibleRange(), kept()[0].range);
  w.find<QPushButton>("deleteBookmark")->click();
  EXPECT_TRUE(kept().empty());
  EXPECT_TRUE(test::waitFor([&] { return table->rowCount() == 0; }));
}

TEST_F(TimelineToolsTest, ADamagedFileOfBookmarksIsToldAndKept) {
  const QString folder = w.window->shownRun().folder();
  QFile file(QDir(folder).filePath("bookmarks.json"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  file.write("{\"schema\"");
  file.close();
  w.window->openPath(folder);
  ASSERT_TRUE(test::waitFor([&] { return w.window->messages().sentence().contains("bookmarks"); }))
      << w.window->messages().sentence().toStdString();
  ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != nullptr; }));
  timeline->setSelection(middle());
  w.trigger("bookmark");
  EXPECT_EQ(kept().size(), 1U);
  EXPECT_TRUE(QFile::exists(QDir(folder).filePath("bookmarks-unread.json")));
}

TEST_F(TimelineToolsTest, VariantsOfUnlikeMicroBatchesShareAnAxisButTheirActionsAreNotCompared) {
  const auto first = timeline->trace();
  auto* menu = w.find<QMenu>("compareTimelinesMenu");
  Q_EMIT menu->aboutToShow();
  ASSERT_EQ(menu->actions().size(), 2);  // Single and Model parallel
  menu->actions().at(1)->trigger();
  ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != first; }));
  EXPECT_EQ(timeline->trace()->lanes.size(), 4U);
  EXPECT_TRUE(headline().startsWith("A: Pipeline, B: Model parallel. ")) << headline().toStdString();
  const auto samples = [&](int variant) { return w.record()->variants[static_cast<std::size_t>(variant)].split_size; };
  ASSERT_NE(samples(2), samples(1));
  EXPECT_TRUE(
      headline().contains(QString("Micro-batches differ: %1 and %2 samples, so actions are not compared; steps of B")
                              .arg(samples(2))
                              .arg(samples(1))))
      << headline().toStdString();
  EXPECT_FALSE(w.window->action("differences")->isEnabled());
  EXPECT_FALSE(w.window->action("bookmark")->isEnabled());
  w.trigger("stopComparingTimelines");
  EXPECT_EQ(timeline->trace(), first);
  EXPECT_FALSE(headline().startsWith("A:"));
}

TEST_F(TimelineToolsTest, AnotherRunsTimelineIsReadFromItsFolder) {
  const QString earlier = w.window->shownRun().folder();
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(test::waitFor([&] { return read() && w.window->shownRun().folder() != earlier; }));
  const auto first = timeline->trace();
  align(earlier);
  ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != first; }));
  EXPECT_TRUE(headline().contains("B: Pipeline of " + QDir(earlier).dirName())) << headline().toStdString();
  EXPECT_TRUE(headline().contains("matching actions: B ")) << headline().toStdString();
  w.trigger("differences");
  EXPECT_TRUE(timeline->showsDifferences());
  align(w.place.filePath("nowhere"));
  EXPECT_TRUE(test::waitFor([&] { return w.window->messages().sentence().contains("nowhere"); }));
}

}  // namespace
}  // namespace lanelab
