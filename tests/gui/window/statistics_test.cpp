// SPDX-License-Identifier: GPL-3.0-only
// Statistics and timeline beside each other: what is chosen in one is seen in the other.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDockWidget>
#include <QPushButton>
#include <QTabBar>
#include <QTableView>

#include "tests/gui/timeline/timeline_world.h"
#include "tests/gui/window/window_world.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/look/elided_label.h"
#include "ui/statistics/statistics_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/statistics_presenter.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {
namespace {

std::shared_ptr<const Trace> noPrediction(const StepQuestion&, const std::stop_token&) { return nullptr; }

class StatisticsOfTheTimeline : public ::testing::Test {
 protected:
  void SetUp() override {
    timeline.resize(900, 300);
    timeline.show();
    pane.resize(900, 300);
    pane.show();
    auto record = std::make_shared<RunRecord>();
    presenter.show(FinishedVariant{record, QStringLiteral("Pipeline"), trace});
    await();
  }
  void await() {
    ASSERT_TRUE(test::waitFor([this] { return pane.isCurrent(); }));
  }
  void groupBy(Grouping by) {
    auto& choice = *pane.findChild<QComboBox*>("statisticsBy");
    choice.setCurrentIndex(choice.findData(static_cast<int>(by)));
    Q_EMIT choice.activated(choice.currentIndex());
    await();
  }
  QTableView& groups() { return *pane.findChild<QTableView*>("statisticsGroups"); }
  QTableView& events() { return *pane.findChild<QTableView*>("statisticsEvents"); }
  static void click(QTableView& table, int row) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
  }
  static QString cell(const QTableView& table, int row, int column) {
    return table.model()->index(row, column).data().toString();
  }

  std::shared_ptr<const Trace> trace = testworld::pipelineTrace();
  TimelineView timeline;
  IdleTable idle;
  StatisticsPane pane;
  ElidedLabel headline;
  ExperimentDocument document;
  ShownRun run;
  RunBookmarks bookmarks;
  TimelinePresenter presenter{{&timeline, &idle, &headline}, &document,    &run,   &bookmarks,
                              makeFakeExecutor({}),          noPrediction, nullptr};
  StatisticsPresenter statistics{&timeline, &pane, &presenter, nullptr};
};

TEST_F(StatisticsOfTheTimeline, AreOfTheSelectedRange) {
  groupBy(Grouping::Lane);
  const QString all = cell(groups(), 0, 1);
  const TimeRange whole = trace->range();
  timeline.setSelection(TimeRange{whole.start, whole.start + whole.length() / 4});
  await();
  const auto part = spanStatistics(*trace, nullptr, Grouping::Lane, {timeline.selection(), {}});
  EXPECT_EQ(cell(groups(), 0, 1), QString::number(part->groups[0].count));
  EXPECT_NE(cell(groups(), 0, 1), all);
  pane.findChild<QPushButton*>("clearStatisticsRange")->click();
  await();
  EXPECT_FALSE(timeline.selection().has_value());
  EXPECT_EQ(cell(groups(), 0, 1), all);
}

TEST_F(StatisticsOfTheTimeline, AChosenGroupIsFoundThereAndNoOtherSpan) {
  groupBy(Grouping::Block);
  click(groups(), 0);
  EXPECT_EQ(timeline.searchState().count, cell(groups(), 0, 1).toUInt());
  timeline.findNext();
  ASSERT_TRUE(timeline.spanDetails().has_value());
  EXPECT_EQ(timeline.spanDetails()->name, cell(groups(), 0, 0));
  timeline.setSearch(QStringLiteral("step 2"));
  timeline.setSearch({});
  EXPECT_EQ(timeline.searchState().count, 0U) << "a search replaces the group";
  click(groups(), 1);
  EXPECT_GT(timeline.searchState().count, 0U);
  QTest::keyClick(&groups(), Qt::Key_Escape);
  EXPECT_EQ(timeline.searchState().count, 0U);
  click(groups(), 1);
  EXPECT_GT(timeline.searchState().count, 0U);
  QTest::keyClick(&timeline, Qt::Key_Escape);
  EXPECT_EQ(timeline.searchState().count, 0U) << "Esc clears the timeline, too";
}

TEST_F(StatisticsOfTheTimeline, AChosenGroupIsFoundAgainInAnotherTraceAndRange) {
  groupBy(Grouping::Block);
  click(groups(), 0);
  const QString name = cell(groups(), 0, 0);
  const auto found = [&] { return timeline.searchState().count; };
  const std::size_t first = found();
  const TimeRange whole = trace->range();
  timeline.setSelection(TimeRange{whole.start, whole.start + whole.length() / 3});
  await();
  EXPECT_LT(found(), first);
  EXPECT_GT(found(), 0U);
  presenter.show(FinishedVariant{std::make_shared<RunRecord>(), QStringLiteral("Pipeline"),
                                 testworld::pipelineTrace({.steps = 5})});
  await();
  ASSERT_TRUE(groups().currentIndex().isValid());
  EXPECT_EQ(cell(groups(), groups().currentIndex().row(), 0), name);
  EXPECT_EQ(found(), cell(groups(), groups().currentIndex().row(), 1).toUInt());
  presenter.show(
      FinishedVariant{std::make_shared<RunRecord>(), QStringLiteral("Single"), testworld::denseTrace(50, 10, 8)});
  await();
  EXPECT_EQ(found(), 0U) << "it has no blocks";
}

TEST_F(StatisticsOfTheTimeline, EnterMakesTheLongestSpanTheCurrentOne) {
  groupBy(Grouping::Operation);
  click(groups(), 0);
  QTest::keyClick(&groups(), Qt::Key_Return);
  const auto details = timeline.spanDetails();
  ASSERT_TRUE(details.has_value());
  const auto expected = spanStatistics(*trace, nullptr, Grouping::Operation);
  EXPECT_EQ(details->span.range().length(), expected->groups[0].longest);
  EXPECT_FALSE(timeline.selection().has_value()) << "figures stay those of all";
}

TEST_F(StatisticsOfTheTimeline, EventsAndCurrentSpanFollowEachOther) {
  pane.findChild<QTabBar*>("statisticsViews")->setCurrentIndex(1);
  await();
  click(events(), 5);
  ASSERT_TRUE(timeline.spanDetails().has_value());
  EXPECT_EQ(timeline.spanDetails()->name, cell(events(), 5, 2));
  timeline.moves().stepSpan(+1);
  ASSERT_TRUE(timeline.currentSpan().has_value());
  EXPECT_EQ(cell(events(), events().currentIndex().row(), 2), timeline.spanDetails()->name);
  EXPECT_NE(events().currentIndex().row(), 5);
}

TEST_F(StatisticsOfTheTimeline, AreOfARunInProgressAsItGrows) {
  presenter.show(LiveRun{testworld::pipelineTrace({.steps = 1}), QStringLiteral("repeat 1 of 5")});
  await();
  for (const int steps : {2, 4}) {
    presenter.show(LiveRun{testworld::pipelineTrace({.steps = steps}), QStringLiteral("repeat 1 of 5")});
    await();
    groupBy(Grouping::Operation);
    const auto expected = spanStatistics(*timeline.trace(), nullptr, Grouping::Operation);
    EXPECT_EQ(cell(groups(), 0, 1), QString::number(expected->groups[0].count)) << steps;
  }
}

TEST(StatisticsPaneOfTheWindow, HasItsKeyAndATabBesideIdleAndGaps) {
  test::WindowWorld w;
  auto* const pane = w.window->findChild<QDockWidget*>("statisticsDock");
  ASSERT_NE(pane, nullptr);
  EXPECT_EQ(w.window->findChild<QAction*>("show-statisticsDock")->shortcut(), QKeySequence("Ctrl+Alt+S"));
  bool beside = false;
  for (const auto* const bar : w.window->findChildren<QTabBar*>())
    for (int tab = 1; tab < bar->count(); ++tab)
      beside = beside || (bar->tabText(tab) == "Statistics" && bar->tabText(tab - 1) == "Idle and Gaps");
  EXPECT_TRUE(beside);
}

}  // namespace
}  // namespace lanelab
