// SPDX-License-Identifier: GPL-3.0-only
// The timeline as a screen reader has it: lanes, spans and gaps in sight, and what keys say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>

#include "tests/gui/accessible/heard.h"
#include "tests/gui/timeline/timeline_world.h"
#include "ui/accessible/timeline_parts.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testworld::kMs;

struct AccessibleTimelineWorld : test::Accessible {
  explicit AccessibleTimelineWorld(std::shared_ptr<const Trace> trace = testworld::pipelineTrace()) {
    accessible = QAccessible::queryAccessibleInterface(&view);
    view.resize(1000, 300);
    view.setTrace(std::move(trace));
    view.show();
    view.activateWindow();
    view.setFocus();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&view, 5000));
    QApplication::processEvents();
  }
  QAccessibleInterface& lane(int place) const { return *accessible->child(place); }
  void key(Qt::Key which, Qt::KeyboardModifiers keys = {}) { QTest::keyClick(&view, which, keys); }
  void showStep() { view.setVisibleRange(view.content().data()->steps().front().range); }

  TimelineView view;
  QAccessibleInterface* accessible = nullptr;
};

TEST(AccessibleTimeline, IsAListOfLanesEachAListOfItsSpansAndGaps) {
  AccessibleTimelineWorld world;
  world.showStep();
  EXPECT_EQ(world.accessible->role(), QAccessible::List);
  EXPECT_EQ(test::nameOf(world.accessible), "Timeline");
  for (int place = 0; place < 2; ++place) {
    QAccessibleInterface& lane = world.lane(place);
    EXPECT_EQ(lane.role(), QAccessible::List);
    EXPECT_THAT(test::nameOf(&lane), StartsWith("lane " + std::to_string(place) + ", utilization "));
    EXPECT_EQ(world.accessible->indexOfChild(&lane), place);
    for (int i = 0; i < lane.childCount(); ++i) {
      EXPECT_EQ(lane.child(i)->parent(), &lane) << test::nameOf(lane.child(i));
      EXPECT_EQ(lane.indexOfChild(lane.child(i)), i) << test::nameOf(lane.child(i));
    }
  }
}

TEST(AccessibleTimeline, SpansAndGapsAreNamedAsTheStatusLineSaysThem) {
  AccessibleTimelineWorld world;
  world.showStep();
  const std::vector<std::string> second = test::namesIn(world.lane(1));
  ASSERT_GE(second.size(), 14U);
  EXPECT_EQ(second[0],
            "Idle before Forward, micro-batch 0, 11.0 ms. The pipeline fills: the order brings no work here yet.");
  EXPECT_EQ(second[1], "Forward, micro-batch 0, 10.3 ms");
  EXPECT_THAT(world.lane(1).child(1)->text(QAccessible::Description).toStdString(),
              HasSubstr("Lane: lane 1 (cpu:1); Stage: 1"));
  EXPECT_THAT(second, ::testing::Contains(StartsWith("Backward, micro-batch 5, ")));
  EXPECT_THAT(second, ::testing::Contains(StartsWith("Transfer ")));
}

TEST(AccessibleTimeline, OnlyWhatIsInSightIsListed) {
  AccessibleTimelineWorld world;
  const int all = world.lane(0).childCount();
  const Span third = world.view.trace()->tracks[1].spans[2];
  world.view.setVisibleRange(third.range());
  EXPECT_THAT(test::namesIn(world.lane(0)), ::testing::Contains(StartsWith("Forward, micro-batch 2")));
  EXPECT_LT(world.lane(0).childCount(), all / 4);
  EXPECT_THAT(world.lane(0).text(QAccessible::Description).toStdString(), StartsWith("In sight: "));
}

TEST(AccessibleTimeline, OfAMillionSpansFewAreListedAndTheCurrentOneIsAmongThem) {
  AccessibleTimelineWorld world(testworld::denseTrace(1'000'000, 1000, 900));
  world.view.fit();
  QAccessibleInterface& lane = world.lane(0);
  EXPECT_EQ(lane.childCount(), static_cast<int>(kMostListedSpans));
  EXPECT_EQ(lane.text(QAccessible::Description), "In sight: 1,000,000 of 1,000,000 spans; listed: 100 spans, 0 gaps");
  world.view.moves().goTo(SpanRef{0, 500'000});
  world.view.fit();
  EXPECT_EQ(lane.childCount(), static_cast<int>(kMostListedSpans));
  QAccessibleInterface* const current = world.accessible->focusChild();
  ASSERT_NE(current, nullptr);
  EXPECT_EQ(lane.child(lane.indexOfChild(current)), current);
  EXPECT_TRUE(current->state().focused);
}

TEST(AccessibleTimeline, KeysAreHeard) {
  AccessibleTimelineWorld world;
  world.showStep();
  test::Heard heard;
  const struct {
    Qt::Key key;
    Qt::KeyboardModifiers with;
    QAccessible::Event event;
    const char* begin;
  } rows[] = {{Qt::Key_Period, Qt::NoModifier, QAccessible::Focus, "Forward, micro-batch 0, "},
              {Qt::Key_Period, Qt::NoModifier, QAccessible::Focus, "Forward, micro-batch 1, "},
              {Qt::Key_Comma, Qt::NoModifier, QAccessible::Focus, "Forward, micro-batch 0, "},
              {Qt::Key_Down, Qt::NoModifier, QAccessible::Focus, "Forward, micro-batch 0, 10.3 ms"},
              {Qt::Key_G, Qt::NoModifier, QAccessible::Focus, "Idle "},
              {Qt::Key_Escape, Qt::NoModifier, QAccessible::Focus, "(nothing)"},
              {Qt::Key_1, Qt::NoModifier, QAccessible::DescriptionChanged, "Timeline"}};
  for (const auto& [key, with, event, begin] : rows) {
    heard.forget();
    world.key(key, with);
    EXPECT_THAT(heard.last(event), StartsWith(begin)) << key;
  }
}

TEST(AccessibleTimeline, WhatKeysDoToTheViewIsDescribed) {
  AccessibleTimelineWorld world;
  world.key(Qt::Key_Period);
  const struct {
    Qt::Key key;
    Qt::KeyboardModifiers with;
    const char* words;
  } rows[] = {
      {Qt::Key_C, Qt::NoModifier, "lane 0, collapsed"}, {Qt::Key_P, Qt::NoModifier, "lane 0, collapsed, pinned"},
      {Qt::Key_P, Qt::NoModifier, "lane 0, collapsed"}, {Qt::Key_Down, Qt::ControlModifier, "lane 0 is lane 2 of 2"},
      {Qt::Key_Plus, Qt::NoModifier, "In sight: "},     {Qt::Key_F, Qt::NoModifier, "In sight: 0.00 s to "}};
  for (const auto& [key, with, words] : rows) {
    world.key(key, with);
    EXPECT_THAT(world.view.accessibleDescription().toStdString(), StartsWith(words)) << key;
  }
}

TEST(AccessibleTimeline, EveryPartLiesWhereItIsDrawn) {
  AccessibleTimelineWorld world;
  world.showStep();
  const QRect view(world.view.mapToGlobal(QPoint(0, 0)), world.view.size());
  for (int place = 0; place < 2; ++place) {
    for (QAccessibleInterface* const part : test::childrenOf(world.lane(place))) {
      EXPECT_TRUE(view.contains(part->rect())) << test::nameOf(part);
      const QPoint centre = part->rect().center();
      if (part->rect().width() < 12) continue;
      EXPECT_EQ(test::nameOf(world.accessible->childAt(centre.x(), centre.y())), test::nameOf(part));
    }
  }
}

TEST(AccessibleTimeline, ActionsSelectAndZoom) {
  AccessibleTimelineWorld world;
  QAccessibleInterface* const span = world.lane(0).child(1);
  QAccessibleActionInterface* const actions = span->actionInterface();
  ASSERT_NE(actions, nullptr);
  EXPECT_FALSE(span->state().selected);
  actions->doAction("select");
  EXPECT_TRUE(span->state().selected);
  const Nanoseconds before = world.view.visibleRange().length();
  actions->doAction("zoom");
  EXPECT_LT(world.view.visibleRange().length(), before / 4);
}

TEST(AccessibleTimeline, WhatIsOutOfSightIsDroppedOnceNobodyAsks) {
  AccessibleTimelineWorld world;
  world.showStep();
  QAccessibleInterface* const first = world.lane(0).child(0);
  const QAccessible::Id id = QAccessible::uniqueId(first);
  world.view.setVisibleRange(world.view.content().data()->steps().back().range);
  EXPECT_EQ(world.lane(0).indexOfChild(first), -1) << "it can be asked";
  QApplication::processEvents();
  EXPECT_EQ(QAccessible::accessibleInterface(id), nullptr);
}

TEST(AccessibleTimeline, WithoutATraceThereIsNothing) {
  AccessibleTimelineWorld world;
  world.key(Qt::Key_Period);
  QAccessibleInterface* const span = world.accessible->focusChild();
  ASSERT_NE(span, nullptr);
  world.view.setTrace(nullptr);
  EXPECT_FALSE(span->isValid());
  EXPECT_EQ(span->rect(), QRect());
  EXPECT_EQ(span->text(QAccessible::Name), QString());
  EXPECT_EQ(world.accessible->focusChild(), nullptr);
}

TEST(AccessibleTimeline, IsQuietWithoutTheKeyboard) {
  AccessibleTimelineWorld world;
  world.view.clearFocus();
  test::Heard heard;
  world.view.moves().stepSpan(+1);
  EXPECT_THAT(heard.of(QAccessible::Focus), IsEmpty());
}

}  // namespace
}  // namespace lanelab
