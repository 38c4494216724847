// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/statistics_pane.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "tests/gui/timeline/timeline_world.h"

namespace lanelab {
namespace {

constexpr int kLimitMs = 20'000;

class StatisticsPaneTest : public ::testing::Test {
 protected:
  void SetUp() override {
    pane.resize(900, 400);
    pane.show();
    QObject::connect(
        &pane, &StatisticsPane::groupChosen,
        [this](const std::shared_ptr<const ShownStatistics>& shown, quint32 key) { chosen << shown->nameOf(key); });
    QObject::connect(&pane, &StatisticsPane::groupDropped, [this] { chosen << QStringLiteral("none"); });
    QObject::connect(&pane, &StatisticsPane::spanRequested, [this](const StatisticsTrace& of, const SpanMatch& span) {
      requested.push_back(of.trace->tracks[span.track].spans[span.span]);
    });
    give(trace);
  }

  void give(const std::shared_ptr<const Trace>& of) {
    pane.setTrace({of});
    await();
  }
  void await() {
    ASSERT_TRUE(QTest::qWaitFor([this] { return pane.isCurrent(); }, kLimitMs));
  }
  template <class Widget>
  Widget& find(const char* name) {
    return *pane.findChild<Widget*>(QLatin1String(name));
  }
  QTableView& groups() { return find<QTableView>("statisticsGroups"); }
  QTableView& events() { return find<QTableView>("statisticsEvents"); }
  static QString cell(const QTableView& table, int row, int column) {
    return table.model()->index(row, column).data().toString();
  }
  static QStringList columnOf(const QTableView& table, int column) {
    QStringList cells;
    for (int row = 0; row < table.model()->rowCount(); ++row) cells << cell(table, row, column);
    return cells;
  }
  void groupBy(Grouping by) {
    auto& choice = find<QComboBox>("statisticsBy");
    choice.setCurrentIndex(choice.findData(static_cast<int>(by)));
    Q_EMIT choice.activated(choice.currentIndex());
    await();
  }
  void click(QTableView& table, int row) {
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(table.model()->index(row, 0)).center());
  }
  void showEvents() {
    find<QTabBar>("statisticsViews").setCurrentIndex(1);
    await();
  }
  SpanStatistics figures(Grouping by, std::optional<TimeRange> range = {}) const {
    return spanStatistics(*trace, nullptr, by, {range, {}}).value_or(SpanStatistics{});
  }

  std::shared_ptr<const Trace> trace = testworld::pipelineTrace();
  StatisticsPane pane;
  QStringList chosen;
  std::vector<Span> requested;
};

TEST_F(StatisticsPaneTest, GroupsAreThoseOfTheValueLargestTotalFirst) {
  groupBy(Grouping::Block);
  const SpanStatistics expected = figures(Grouping::Block);
  const SpanKeys keys(*trace, nullptr, Grouping::Block);
  ASSERT_EQ(groups().model()->rowCount(), static_cast<int>(expected.groups.size()));
  for (int row = 0; row < groups().model()->rowCount(); ++row) {
    const GroupStatistics& group = expected.groups[static_cast<std::size_t>(row)];
    EXPECT_EQ(cell(groups(), row, 0).toStdString(), keys.nameOf(group.key));
    EXPECT_EQ(cell(groups(), row, 1), QString::number(group.count));
    EXPECT_EQ(cell(groups(), row, 2), millisecondsCell(group.total));
    EXPECT_EQ(cell(groups(), row, 3), QString::number(100 * expected.shareOf(group), 'f', 1));
    EXPECT_EQ(cell(groups(), row, 8), millisecondsCell(group.longest));
  }
}

TEST_F(StatisticsPaneTest, TheOverviewSaysWhatTheTimeWasSpentOn) {
  const LaneTime sum = figures(Grouping::Name).overview.sum();
  const double compute = shareOf(sum.parts[0], sum.window);
  EXPECT_EQ(find<QLabel>("part-compute").text(), QStringLiteral("Compute %1 %").arg(100 * compute, 0, 'f', 1));
  EXPECT_FALSE(find<QLabel>("part-data").isVisible()) << "nothing was loaded";
  EXPECT_TRUE(find<QWidget>("statisticsBar").toolTip().contains(QStringLiteral("lane 1: compute ")));
}

TEST_F(StatisticsPaneTest, FiguresFollowTheRange) {
  const TimeRange whole = trace->range();
  const TimeRange range{whole.start, whole.start + whole.length() / 3};
  QSignalSpy cleared(&pane, &StatisticsPane::rangeClearRequested);
  groupBy(Grouping::Lane);
  pane.setRange(range);
  await();
  const SpanStatistics expected = figures(Grouping::Lane, range);
  EXPECT_EQ(cell(groups(), 0, 1), QString::number(expected.groups[0].count));
  EXPECT_EQ(cell(groups(), 0, 2), millisecondsCell(expected.groups[0].total));
  EXPECT_TRUE(find<QLabel>("statisticsSentence").text().startsWith(QStringLiteral("Selected range ")));
  find<QPushButton>("clearStatisticsRange").click();
  EXPECT_EQ(cleared.count(), 1);
  pane.setRange({});
  await();
  EXPECT_EQ(cell(groups(), 0, 2), millisecondsCell(figures(Grouping::Lane).groups[0].total));
  EXPECT_FALSE(find<QPushButton>("clearStatisticsRange").isVisible());
}

TEST_F(StatisticsPaneTest, TheFilterLeavesWhatHasAllItsWords) {
  groupBy(Grouping::Block);
  find<QLineEdit>("statisticsFilter").setText(QStringLiteral("LAYER2 .3"));
  EXPECT_EQ(columnOf(groups(), 0), QStringList{QStringLiteral("layer2.3")});
  find<QLineEdit>("statisticsFilter").clear();
  EXPECT_EQ(groups().model()->rowCount(), 8);
}

TEST_F(StatisticsPaneTest, EveryColumnSorts) {
  groupBy(Grouping::Block);
  groups().sortByColumn(0, Qt::AscendingOrder);
  QStringList names = columnOf(groups(), 0);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (int column = 1; column < groups().model()->columnCount(); ++column) {
    groups().sortByColumn(column, Qt::AscendingOrder);
    for (int row = 1; row < groups().model()->rowCount(); ++row)
      EXPECT_LE(cell(groups(), row - 1, column).toDouble(), cell(groups(), row, column).toDouble()) << column;
  }
}

TEST_F(StatisticsPaneTest, AClickChoosesAGroupAndEnterGoesToItsLongestSpan) {
  groupBy(Grouping::Operation);
  const int row = static_cast<int>(columnOf(groups(), 0).indexOf(QStringLiteral("update")));
  ASSERT_GE(row, 0);
  click(groups(), row);
  ASSERT_FALSE(chosen.isEmpty());
  EXPECT_EQ(chosen.last(), QStringLiteral("update"));
  EXPECT_TRUE(requested.empty());
  QTest::keyClick(&groups(), Qt::Key_Return);
  ASSERT_EQ(requested.size(), 1U);
  EXPECT_EQ(requested[0].phase, Phase::Update);
  EXPECT_EQ(requested[0].range().length(), figures(Grouping::Operation).groups[static_cast<std::size_t>(row)].longest);
  QTest::keyClick(&groups(), Qt::Key_C, Qt::ControlModifier);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("Operation\tCount\tTotal (ms)")));
  QTest::keyClick(&groups(), Qt::Key_Escape);
  EXPECT_EQ(chosen.last(), QStringLiteral("none"));
  EXPECT_FALSE(groups().currentIndex().isValid());
}

TEST_F(StatisticsPaneTest, EventsAreTheSpansOfTheChosenGroupAndFilter) {
  groupBy(Grouping::Stage);
  showEvents();
  EXPECT_EQ(events().model()->rowCount(), static_cast<int>(figures(Grouping::Name).all.count));
  find<QTabBar>("statisticsViews").setCurrentIndex(0);
  click(groups(), static_cast<int>(columnOf(groups(), 0).indexOf(QStringLiteral("1"))));
  showEvents();
  const SpanStatistics stages = figures(Grouping::Stage);
  const auto of_one = std::ranges::find(stages.groups, 1U, &GroupStatistics::key);
  EXPECT_EQ(events().model()->rowCount(), static_cast<int>(of_one->count));
  find<QLineEdit>("statisticsFilter").setText(QStringLiteral("layer2.0"));
  await();
  EXPECT_EQ(events().model()->rowCount(), (2 * 6 + 1) * 3) << "forward, backward, update; micro-batches, steps";
}

TEST_F(StatisticsPaneTest, EventsSortByTimeAndDurationAndLeadToTheSpan) {
  showEvents();
  const auto numbers = [this](int column) {
    std::vector<double> values;
    for (const QString& text : columnOf(events(), column)) values.push_back(text.toDouble());
    return values;
  };
  EXPECT_TRUE(std::ranges::is_sorted(numbers(0)));
  events().sortByColumn(1, Qt::DescendingOrder);
  EXPECT_TRUE(std::ranges::is_sorted(numbers(1), std::ranges::greater()));
  click(events(), 0);
  ASSERT_FALSE(requested.empty());
  EXPECT_EQ(requested.back().range().length(), figures(Grouping::Name).all.longest);
  pane.selectSpan(1, 2);
  ASSERT_TRUE(events().currentIndex().isValid());
  const int row = events().currentIndex().row();
  EXPECT_EQ(cell(events(), row, 2).toStdString(), trace->nameOf(trace->tracks[1].spans[2]));
  EXPECT_EQ(cell(events(), row, 0), millisecondsCell(trace->tracks[1].spans[2].start - trace->range().start));
}

TEST_F(StatisticsPaneTest, AGrowingTraceIsCountedAgainAndTheChosenGroupStays) {
  groupBy(Grouping::Block);
  click(groups(), 2);
  const QString name = chosen.last();
  for (int steps = 4; steps < 8; ++steps) pane.setTrace({testworld::pipelineTrace({.steps = steps})});
  await();
  ASSERT_TRUE(groups().currentIndex().isValid());
  EXPECT_EQ(cell(groups(), groups().currentIndex().row(), 0), name);
  EXPECT_EQ(cell(groups(), 0, 1), QString::number(7 * 6 * 2 + 7)) << "of the last trace";
}

TEST_F(StatisticsPaneTest, WithoutATraceItSaysWhatWillBeHere) {
  pane.setTrace({});
  EXPECT_TRUE(find<QLabel>("statisticsEmpty").isVisible());
  EXPECT_FALSE(groups().isVisible());
  give(trace);
  EXPECT_FALSE(find<QLabel>("statisticsEmpty").isVisible());
  EXPECT_TRUE(groups().isVisible());
}

TEST_F(StatisticsPaneTest, AMillionSpansAreARowEach) {
  give(testworld::denseTrace(500'000, 10, 8, 2));
  showEvents();
  EXPECT_EQ(events().model()->rowCount(), 1'000'000);
  EXPECT_EQ(groups().model()->rowCount(), 1);
}

}  // namespace
}  // namespace lanelab
