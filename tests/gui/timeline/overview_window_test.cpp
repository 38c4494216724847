// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <utility>

#include "ui/timeline/layout/overview_window.h"

namespace lanelab {
namespace {

using Part = OverviewPart;

/// A thousand nanoseconds a pixel, from pixel 100 to 1100.
OverviewWindow windowOf(Nanoseconds from, Nanoseconds to) {
  return {{{0, 1'000'000}, 100, 1000}, {from * 1000, to * 1000}};
}

TEST(OverviewWindow, LiesWhereItsTimesDo) {
  const OverviewWindow window = windowOf(200, 500);
  EXPECT_DOUBLE_EQ(window.left(), 300);
  EXPECT_DOUBLE_EQ(window.right(), 600);
}

TEST(OverviewWindow, StaysInItsStripAndCanBeFound) {
  struct Row {
    Nanoseconds from, to;
    double left, right;
  };
  for (const Row& row :
       {Row{-50, 1050, 100, 1100}, {400, 400, 500, 503}, {1000, 1000, 1097, 1100}, {-9, -5, 100, 103}}) {
    const OverviewWindow window = windowOf(row.from, row.to);
    EXPECT_DOUBLE_EQ(window.left(), row.left) << row.from;
    EXPECT_DOUBLE_EQ(window.right(), row.right) << row.from;
  }
  const OverviewWindow none{{{0, 0}, 100, 2}, {0, 0}};
  EXPECT_LE(none.right(), 102) << "in a strip that is narrower than a window";
}

TEST(OverviewWindow, IsHeldByItsMiddleOrItsEdges) {
  const OverviewWindow window = windowOf(200, 500);
  const std::pair<double, Part> rows[] = {{150, Part::Outside},   {297, Part::LeftEdge}, {303, Part::LeftEdge},
                                          {310, Part::Window},    {590, Part::Window},   {597, Part::RightEdge},
                                          {603, Part::RightEdge}, {610, Part::Outside}};
  for (const auto& [x, part] : rows) EXPECT_EQ(window.partAt(x), part) << x;
  for (const double x : {497.0, 501.0, 505.0}) EXPECT_EQ(windowOf(400, 403).partAt(x), Part::Window) << "too narrow";
}

TEST(OverviewWindow, MovesWithTheHand) {
  const OverviewWindow window = windowOf(200, 500);
  EXPECT_EQ(window.movedBy(50), (TimeRange{250'000, 550'000}));
  EXPECT_EQ(window.centredAt(600), (TimeRange{350'000, 650'000}));
}

TEST(OverviewWindow, IsPulledAtOneEdgeUpToAPixelFromTheOther) {
  const OverviewWindow window = windowOf(200, 500);
  struct Row {
    Part edge;
    double x;
    TimeRange range;
  };
  for (const Row& row : {Row{Part::LeftEdge, 400, {300'000, 500'000}},
                         {Part::RightEdge, 400, {200'000, 300'000}},
                         {Part::LeftEdge, 700, {499'000, 500'000}},
                         {Part::RightEdge, 100, {200'000, 201'000}},
                         {Part::LeftEdge, -50, {0, 500'000}},
                         {Part::RightEdge, 2000, {200'000, 1'000'000}}})
    EXPECT_EQ(window.pulled(row.edge, row.x), row.range) << row.x;
}

}  // namespace
}  // namespace lanelab
