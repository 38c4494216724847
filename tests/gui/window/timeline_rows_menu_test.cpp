// SPDX-License-Identifier: GPL-3.0-only
#include <QSettings>

#include "tests/gui/window/window_world.h"
#include "ui/timeline/layout/legend.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

class TimelineRowsMenu : public ::testing::Test {
 protected:
  ~TimelineRowsMenu() override {
    for (const RowKind kind : kChosenRowKinds) {
      QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab")
          .remove("timeline/" + QString::fromStdString(toWord(kind)));
    }
  }
};

TEST_F(TimelineRowsMenu, AKindThatWasChosenIsKeptForTheNextWindow) {
  {
    test::WindowWorld w;
    EXPECT_FALSE(w.window->action("rows-counters")->isChecked());
    w.trigger("rows-counters");
    w.trigger("rows-transfers");
    const RowArrangement& rows = w.find<TimelineView>("timeline")->arrangement();
    EXPECT_TRUE(rows.shows(RowKind::Counters));
    EXPECT_FALSE(rows.shows(RowKind::Transfers));
  }
  test::WindowWorld next;
  EXPECT_TRUE(next.window->action("rows-counters")->isChecked());
  EXPECT_FALSE(next.window->action("rows-transfers")->isChecked());
  EXPECT_TRUE(next.find<TimelineView>("timeline")->arrangement().shows(RowKind::Counters));
}

TEST_F(TimelineRowsMenu, WhatIsChosenInTheTimelineShowsInTheMenuAndIsKept) {
  test::WindowWorld w;
  auto* timeline = w.find<TimelineView>("timeline");
  RowArrangement next = timeline->arrangement();
  next.show(RowKind::Streams, false);
  timeline->setArrangement(next);
  EXPECT_FALSE(w.window->action("rows-streams")->isChecked());
  EXPECT_FALSE(WindowSettings().showsRows("streams", true));
}

TEST_F(TimelineRowsMenu, WhatTheLegendHidesIsHiddenInTheNextWindow) {
  {
    test::WindowWorld w;
    ASSERT_TRUE(w.runToTheEnd());
    auto* timeline = w.find<TimelineView>("timeline");
    ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != nullptr; }));
    const TimelineData data(timeline->trace());
    for (const LegendEntry& entry : legendEntries(data, timeline->arrangement()))
      if (entry.rows == RowKind::Idle) timeline->moves().toggleLegend(entry.number);
    EXPECT_FALSE(w.window->action("rows-idle")->isChecked());
  }
  const test::WindowWorld next;
  EXPECT_FALSE(next.find<TimelineView>("timeline")->arrangement().shows(RowKind::Idle));
  EXPECT_TRUE(WindowSettings().showsRows("imported-idle", true)) << "imported traces have their own choice";
}

TEST_F(TimelineRowsMenu, DetailsAreBlocksOperatorsAndHostThreads) {
  test::WindowWorld w;
  w.trigger("details");
  for (const char* kind : {"rows-blocks", "rows-operators", "rows-host"})
    EXPECT_TRUE(w.window->action(kind)->isChecked()) << kind;
  w.trigger("rows-operators");
  EXPECT_FALSE(w.window->action("details")->isChecked());
}

TEST_F(TimelineRowsMenu, DamagedSettingsReadAsTheDefault) {
  QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab").setValue("timeline/blocks", "perhaps");
  EXPECT_FALSE(WindowSettings().showsRows("blocks", false));
  EXPECT_TRUE(WindowSettings().showsRows("blocks", true));
}

TEST_F(TimelineRowsMenu, LanesAreArrangedFromTheMenu) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  auto* timeline = w.find<TimelineView>("timeline");
  ASSERT_TRUE(test::waitFor([&] { return timeline->trace() != nullptr; }));
  w.trigger("collapseLanes");
  EXPECT_TRUE(timeline->arrangement().isCollapsed(0));
  w.trigger("expandLanes");
  EXPECT_FALSE(timeline->arrangement().arrangesLanes());
  timeline->setFocus();
  QTest::keyClick(timeline, Qt::Key_Period);
  ASSERT_TRUE(timeline->currentLane());
  const int lane = *timeline->currentLane();
  w.trigger("pinLane");
  EXPECT_TRUE(timeline->arrangement().isPinned(lane));
  w.trigger("forgetLanes");
  EXPECT_FALSE(timeline->arrangement().arrangesLanes());
}

}  // namespace
}  // namespace lanelab
