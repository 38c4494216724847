// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/schedule_grid.h"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QSet>

#include "engine/schedule/generate.h"
#include "ui/schedule/schedule_picture.h"

namespace lanelab {
namespace {

int colorsOf(ActionKind kind, const look::Palette& palette) {
  QImage image(40, 20, QImage::Format_RGB32);
  QPainter painter(&image);
  fillScheduleCell(painter, image.rect(), kind, palette);
  painter.end();
  QSet<QRgb> colors;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) colors.insert(image.pixel(x, y));
  return static_cast<int>(colors.size());
}

TEST(SchedulePicture, BackwardCellsAreHatched) {
  for (const look::Palette* palette :
       {&look::lightPalette(), &look::darkPalette(), &look::highContrastPalette(), &look::printPalette()}) {
    EXPECT_EQ(colorsOf(ActionKind::Forward, *palette), 1);
    for (const ActionKind kind : {ActionKind::Backward, ActionKind::BackwardInput, ActionKind::BackwardWeight})
      EXPECT_GT(colorsOf(kind, *palette), 1);
  }
}

Schedule made(ScheduleKind kind, int stages, int micro_batches) {
  std::vector<LaneId> lanes;
  for (int s = 0; s < stages; ++s) lanes.emplace_back(s);
  return *generateSchedule(kind, lanes, stages, micro_batches, WindowKind::Step);
}

Schedule read(const std::string& csv) { return *parseScheduleCsv(csv); }

TEST(ScheduleGrid, A1f1bTakesItsColumns) {
  const ScheduleGrid grid = layOutSchedule(made(ScheduleKind::OneFOneB, 2, 4));
  EXPECT_EQ(grid.columns, 15) << "4 micro-batches of 3 columns, and one forward and backward of the other lane";
  EXPECT_EQ(grid.busy, 24);
  EXPECT_EQ(grid.broken, 0);
  EXPECT_DOUBLE_EQ(grid.idleShare(), 0.2);
}

TEST(ScheduleGrid, SplitBackwardsFillTheBubble) {
  const ScheduleGrid whole = layOutSchedule(made(ScheduleKind::OneFOneB, 4, 8)),
                     split = layOutSchedule(made(ScheduleKind::ZbH1, 4, 8));
  EXPECT_EQ(whole.busy, split.busy);
  EXPECT_LT(split.columns, whole.columns);
}

TEST(ScheduleGrid, WhatWaitsForItsOwnLaneIsBroken) {
  const ScheduleGrid grid = layOutSchedule(read("0B0,0F0\n"));
  ASSERT_EQ(grid.broken, 1);
  EXPECT_EQ(toString(*grid.lanes[0][0].missing), "0F0");
  EXPECT_FALSE(grid.lanes[0][1].missing.has_value());
}

TEST(ScheduleGrid, ACircleOverTwoLanesIsBrokenOnceAndTheRestIsShown) {
  const ScheduleGrid grid = layOutSchedule(read("0F0,0B0,0F1,0B1\n1F1,1F0,1B0,1B1\n"));
  EXPECT_EQ(grid.broken, 1);
  EXPECT_EQ(grid.lanes[0].size(), 4u);
  EXPECT_EQ(grid.lanes[1].size(), 4u);
}

TEST(ScheduleGrid, AMissingActionIsSaidAndDoesNotHang) {
  Schedule schedule = read("0F0,0B0\n1F0\n");
  const ScheduleGrid grid = layOutSchedule(schedule);
  EXPECT_EQ(grid.broken, 1);
}

TEST(ScheduleGrid, ActionsMoveWithinTheirRow) {
  const Schedule schedule = read("0F0,0F1,0B0,0B1\n");
  EXPECT_EQ(toCsv(withActionMoved(schedule, 0, 0, 2)), "0F1,0B0,0F0,0B1\n");
  EXPECT_EQ(toCsv(withActionMoved(schedule, 0, 3, 1)), "0F0,0B1,0F1,0B0\n");
  EXPECT_EQ(withActionMoved(schedule, 0, 0, 9), schedule);
  EXPECT_EQ(withActionMoved(schedule, 7, 0, 1), schedule);
}

TEST(ScheduleGrid, ABackwardSplitsAndJoins) {
  const Schedule schedule = read("0F0,0B0,0F1,0B1\n");
  const Schedule split = withBackwardSplitOrJoined(schedule, 0, 1);
  EXPECT_EQ(toCsv(split), "0F0,0I0,0W0,0F1,0B1\n");
  EXPECT_EQ(withBackwardSplitOrJoined(split, 0, 1), schedule);
  EXPECT_EQ(withBackwardSplitOrJoined(split, 0, 2), schedule);
  EXPECT_EQ(withBackwardSplitOrJoined(schedule, 0, 0), schedule) << "a forward";
}

TEST(ScheduleGrid, ImportedActionsHaveNone) {
  Schedule schedule = read("0F0,0B0\n");
  EXPECT_TRUE(hasGrid(schedule));
  schedule.micro_batches = 0;
  EXPECT_FALSE(hasGrid(schedule));
}

}  // namespace
}  // namespace lanelab
