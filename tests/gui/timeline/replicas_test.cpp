// SPDX-License-Identifier: GPL-3.0-only
// Lanes of a replica under a band of their own, and what replicas exchange.
#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>

#include "tests/gui/timeline/replica_world.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/layout/span_text.h"
#include "ui/timeline/model/found_spans.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using testworld::replicaTrace;

class ReplicasTest : public ::testing::Test {
 protected:
  void SetUp() override {
    view.resize(1000, 420);
    view.setTrace(replicaTrace());
    view.show();
    view.setFocus();
    QApplication::processEvents();
  }

  TimelineLayout placed() const { return layOut(data, view.viewport().area(), view.arrangement(), 0); }
  std::vector<std::vector<int>> lanesOfBands() const {
    std::vector<std::vector<int>> lanes;
    for (const ReplicaBand& band : placed().bands) lanes.push_back(band.lanes);
    return lanes;
  }
  void click(double x, double y) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, QPoint(static_cast<int>(x), static_cast<int>(y)));
  }

  TimelineView view;
  TimelineData data{replicaTrace()};
};

TEST_F(ReplicasTest, StandUnderABandEach) {
  using Lanes = std::vector<std::vector<int>>;
  EXPECT_EQ(lanesOfBands(), (Lanes{{0, 1}, {2, 3}}));
  const TimelineLayout layout = placed();
  for (const ReplicaBand& band : layout.bands) {
    EXPECT_FALSE(layout.laneAt(band.rect.center().y())) << "a band is no lane";
    EXPECT_EQ(band.rect.bottom(), layout.boxOfLane(band.lanes.front())->rect.top());
  }
  EXPECT_TRUE(layOut(TimelineData(testworld::pipelineTrace()), QRectF(0, 0, 1000, 400), {}, 0).bands.empty());
}

TEST_F(ReplicasTest, AClickOnTheBandCollapsesAllItsLanesAndASecondOneExpandsThem) {
  const auto collapsed = [this] {
    std::vector<bool> all;
    for (int lane = 0; lane < 4; ++lane) all.push_back(view.arrangement().isCollapsed(lane));
    return all;
  };
  const auto second = [this] { return placed().bands[1].rect.center().y(); };
  click(30, second());
  EXPECT_EQ(collapsed(), (std::vector<bool>{false, false, true, true}));
  EXPECT_TRUE(placed().bands[1].collapsed);
  EXPECT_FALSE(placed().bands[0].collapsed);
  click(30, second());
  EXPECT_EQ(collapsed(), (std::vector<bool>{false, false, false, false}));
}

TEST_F(ReplicasTest, ShiftCCollapsesTheReplicaOfTheCurrentLane) {
  click(60, placed().boxOfLane(3)->title.center().y());
  ASSERT_EQ(view.currentLane(), 3);
  EXPECT_EQ(view.accessibleDescription(), QStringLiteral("cpu:3, Replica 1"));
  QTest::keyClick(&view, Qt::Key_C, Qt::ShiftModifier);
  EXPECT_TRUE(view.arrangement().isCollapsed(2) && view.arrangement().isCollapsed(3));
  EXPECT_FALSE(view.arrangement().isCollapsed(0));
}

TEST_F(ReplicasTest, ALaneThatWasMovedAwayStandsUnderABandOfItsOwn) {
  RowArrangement moved;
  moved.moveBefore(0, std::nullopt, 4);
  view.setArrangement(moved);
  EXPECT_EQ(lanesOfBands(), (std::vector<std::vector<int>>{{1}, {2, 3}, {0}}));
}

TEST_F(ReplicasTest, TheirExchangeIsARowThatCanBeHiddenAndIsToldInWords) {
  const auto exchanges = [this] {
    int count = 0;
    for (const RowBox& row : placed().rows) count += data.rowKind(row.row) == RowKind::Exchange ? 1 : 0;
    return count;
  };
  EXPECT_EQ(exchanges(), 4);
  const auto shared = std::make_shared<const TimelineData>(replicaTrace());
  const SpanRef found = FoundSpans(shared, QStringLiteral("all-reduce 25.0")).refOf(0).value();
  const QString sentence = spanSentence(*shared, found);
  EXPECT_TRUE(sentence.startsWith(QStringLiteral("all-reduce 25.0 MiB"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(QStringLiteral("mean over all replicas"))) << sentence.toStdString();
  EXPECT_TRUE(sentence.contains(QStringLiteral("Replica: 0"))) << sentence.toStdString();
  RowArrangement without;
  without.show(RowKind::Exchange, false);
  view.setArrangement(without);
  EXPECT_EQ(exchanges(), 0);
}

}  // namespace
}  // namespace lanelab
