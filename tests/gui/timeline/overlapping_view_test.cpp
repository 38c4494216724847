// SPDX-License-Identifier: GPL-3.0-only
// Steps that overlap, in the timeline and in the Idle pane.
#include <gtest/gtest.h>

#include <QComboBox>
#include <QTableWidget>
#include <QTest>

#include "profiler/trace/step_periods.h"
#include "tests/gui/timeline/timeline_view_world.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {
namespace {

using testworld::kMs;

/// Lane 0 begins its next step each 30 ms, while lane 1 still ends the one before, and idles for 5 ms.
std::shared_ptr<const Trace> overlappingTrace(int count = 4) {
  TraceBuilder builder("Pipeline", {{"lane 0", "cpu:0"}, {"lane 1", "cpu:1"}});
  const TrackIndex steps = builder.addTrack(0, Track::Kind::Step, "steps");
  const TrackIndex lanes[] = {builder.addTrack(0, Track::Kind::Compute, "compute"),
                              builder.addTrack(1, Track::Kind::Compute, "compute")};
  for (int step = 0; step < count; ++step) {
    const Nanoseconds at = step * 30 * kMs;
    for (const int stage : {0, 1}) {
      Span action;
      action.category = Category::Action;
      action.phase = Phase::Forward;
      action.stage = static_cast<std::int16_t>(stage);
      action.micro_batch = 0;
      action.step = step;
      action.name = builder.intern(stage == 0 ? "0F0" : "1F0");
      action.start = stage == 0 ? at : at + 25 * kMs;
      action.end = stage == 0 ? at + 25 * kMs : at + 45 * kMs;
      builder.append(lanes[stage], action);
    }
    Span window;
    window.category = Category::Step;
    window.step = step;
    window.name = builder.intern("step " + std::to_string(step));
    window.start = at;
    window.end = at + 45 * kMs;
    builder.append(steps, window);
  }
  return builder.snapshot();
}

TEST(OverlappingData, HasThePeriodsAndSharesOfTheAnalysis) {
  const auto trace = overlappingTrace();
  const TimelineData data(trace);
  ASSERT_TRUE(data.stepsOverlap());
  EXPECT_EQ(data.stretches().size(), 1u);
  const auto periods = lanePeriods(*trace);
  const IdleCauses causes = explainIdle(*trace);
  for (int lane = 0; lane < 2; ++lane) {
    const auto index = static_cast<std::size_t>(lane);
    ASSERT_EQ(data.windowsOf(lane).size(), periods[index].size());
    for (std::size_t i = 0; i < periods[index].size(); ++i)
      EXPECT_EQ(data.windowsOf(lane)[i].range, periods[index][i].range);
    EXPECT_NEAR(*data.busyShare(lane), utilisation(causes.lanes[index]), 1e-12);
  }
}

TEST(OverlappingData, OfAGrownTraceIsThatOfTheWhole) {
  const TimelineData earlier(overlappingTrace(2));
  const auto trace = overlappingTrace(4);
  const TimelineData grown(trace, nullptr, &earlier), fresh(trace);
  for (int lane = 0; lane < 2; ++lane) {
    EXPECT_EQ(grown.windowsOf(lane).size(), fresh.windowsOf(lane).size());
    EXPECT_EQ(grown.busyShare(lane), fresh.busyShare(lane));
  }
}

TEST(OverlappingData, AMomentHasOneCauseAndIdleTimeGoesOnFromStepToStep) {
  const TimelineData data(overlappingTrace());
  Nanoseconds end = 0;
  for (const CausePiece& piece : data.causesOf(1)) {
    EXPECT_GE(piece.range.start, end);
    end = piece.range.end;
  }
  ASSERT_GT(end, 0);
  EXPECT_EQ(data.idleBefore(*data.spanAt(0, 31 * kMs, 0)), 5 * kMs) << "lane 0 before its second step";
}

using OverlappingView = testworld::TimelineViewTest;

TEST_F(OverlappingView, EverySecondStepIsMutedAndStepNamesStandInTwoStrips) {
  view.setTrace(overlappingTrace());
  view.fit();
  const look::Palette& palette = look::current();
  const int first = pixelsOf(palette.forward), second = pixelsOf(look::mix(palette.forward, palette.surface, 0.4));
  EXPECT_GT(second, 1000);
  EXPECT_NEAR(static_cast<double>(first) / second, 1, 0.35) << "half of the steps each";
}

TEST(OverlappingIdle, ChoosesBetweenPeriodsAndStepWindows) {
  IdleTable table;
  table.resize(700, 400);
  table.show();
  table.setTrace(overlappingTrace());
  auto* const windows = table.findChild<QComboBox*>(QStringLiteral("idleWindows"));
  auto* const lanes = table.findChild<QTableWidget*>(QStringLiteral("idleLanes"));
  ASSERT_TRUE(windows->isVisible());
  EXPECT_EQ(windows->currentText(), "Periods");
  EXPECT_EQ(lanes->horizontalHeaderItem(1)->text(), "Periods (ms)");
  EXPECT_EQ(lanes->item(0, 1)->text().toDouble(), 115);
  EXPECT_EQ(lanes->item(0, 3)->text().toDouble(), 15);
  QTest::keyClick(windows, Qt::Key_Down);
  EXPECT_EQ(lanes->horizontalHeaderItem(1)->text(), "Step windows (ms)");
  EXPECT_EQ(lanes->item(0, 1)->text().toDouble(), 180) << "time in two steps counts twice";
  IdleTable barrier;
  barrier.show();
  barrier.setTrace(testworld::pipelineTrace());
  EXPECT_FALSE(barrier.findChild<QComboBox*>(QStringLiteral("idleWindows"))->isVisible()) << "lanes meet each step";
}

}  // namespace
}  // namespace lanelab
