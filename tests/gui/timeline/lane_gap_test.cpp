// SPDX-License-Identifier: GPL-3.0-only
// Idle gaps as objects: found, hovered, clicked, walked by keys, described.
#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>

#include "profiler/analysis/idle_causes.h"
#include "tests/gui/timeline/timeline_view_world.h"
#include "ui/timeline/details/details_pane.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

using testworld::kMs;
using testworld::PipelineShape;
using testworld::pipelineTrace;
using Moment = LaneMoment::Kind;

std::vector<TimeRange> rangesFromStart(const TimelineData& data, int lane) {
  std::vector<TimeRange> found;
  auto gap = firstGapFrom(data, lane, data.range().start, 1);
  for (; gap; gap = firstGapFrom(data, lane, gap->range.end, 1)) found.push_back(gap->range);
  return found;
}

std::vector<TimeRange> rangesFromEnd(const TimelineData& data, int lane) {
  std::vector<TimeRange> found;
  auto gap = lastGapBefore(data, lane, data.range().end, 1);
  for (; gap; gap = lastGapBefore(data, lane, gap->range.start, 1)) found.insert(found.begin(), gap->range);
  return found;
}

TEST(LaneGaps, AreThoseOfTheIdleTableInBothDirections) {
  for (const PipelineShape& shape : {PipelineShape{}, PipelineShape{.lanes = 4, .steps = 2, .micro_batches = 1},
                                     PipelineShape{.lanes = 3, .steps = 5, .micro_batches = 2, .blocks = false}}) {
    const TimelineData data(pipelineTrace(shape));
    for (const LaneCauses& lane : explainIdle(data.trace()).lanes) {
      SCOPED_TRACE(std::to_string(shape.lanes) + " lanes, lane " + std::to_string(lane.lane));
      std::vector<TimeRange> expected;
      for (const ExplainedGap& gap : lane.gaps) expected.push_back(gap.range);
      ASSERT_FALSE(expected.empty());
      EXPECT_EQ(rangesFromStart(data, lane.lane), expected);
      EXPECT_EQ(rangesFromEnd(data, lane.lane), expected);
      for (const ExplainedGap& gap : lane.gaps)
        EXPECT_EQ(data.causesWithin(lane.lane, gap.range), lane.causesOf(gap)) << "each nanosecond has its cause";
    }
  }
}

TEST(LaneGaps, LieBetweenWhatTheLaneDidLastAndWhatItDoesNext) {
  const TimelineData data(pipelineTrace());
  const auto fill = firstGapFrom(data, 1, data.range().start, 1);
  ASSERT_TRUE(fill);
  EXPECT_FALSE(fill->before) << "nothing in this step";
  ASSERT_TRUE(fill->after);
  EXPECT_EQ(data.trace().nameOf(data.span(*fill->after)), "1F0");
  const auto drain = lastGapBefore(data, 1, data.range().end, 1);
  ASSERT_TRUE(drain);
  EXPECT_FALSE(drain->after) << "nothing follows in this step";
  EXPECT_EQ(gapTitle(data, *drain), QStringLiteral("Idle until the end of the step"));
}

/// Lane 0 computes from 10 to 20 ms and from 30 to 40 ms in one step, lane 1 never; it is 45 ms, and lane 0 is known
/// until then.
std::shared_ptr<const Trace> traceInProgress() {
  auto trace = std::make_shared<Trace>();
  trace->lanes = {{"cpu:0", "cpu:0"}, {"cpu:1", "cpu:1"}};
  trace->names = {"0F0", "0F1", "step 0"};
  Span first;
  first.category = Category::Action;
  first.phase = Phase::Forward;
  first.step = first.stage = first.micro_batch = 0;
  first.start = 10 * kMs;
  first.end = 20 * kMs;
  Span second = first;
  second.name = 1;
  second.micro_batch = 1;
  second.start = 30 * kMs;
  second.end = 40 * kMs;
  Span step = first;
  step.name = 2;
  step.category = Category::Step;
  step.phase = Phase::None;
  step.stage = step.micro_batch = -1;
  step.start = 5 * kMs;
  step.end = 60 * kMs;
  trace->tracks = {{0, Track::Kind::Step, "steps", {step}}, {0, Track::Kind::Compute, "compute", {first, second}}};
  trace->live = {{0, 45 * kMs, std::nullopt}, {1, 45 * kMs, std::nullopt}};
  return trace;
}

TEST(LaneGaps, AMomentIsOneOfFiveKinds) {
  const TimelineData data(traceInProgress());
  const struct {
    int lane;
    Nanoseconds at;
    Moment kind;
  } moments[] = {{0, 2 * kMs, Moment::BetweenSteps},  {0, 7 * kMs, Moment::Idle},
                 {0, 10 * kMs, Moment::Computes},     {0, 20 * kMs, Moment::Idle},
                 {0, 29 * kMs, Moment::Idle},         {0, 30 * kMs, Moment::Computes},
                 {0, 42 * kMs, Moment::Idle},         {0, 50 * kMs, Moment::Unknown},
                 {0, 70 * kMs, Moment::BetweenSteps}, {1, 20 * kMs, Moment::WithoutWork}};
  for (const auto& [lane, at, kind] : moments) {
    EXPECT_EQ(momentOf(data, lane, at).kind, kind) << "lane " << lane << " at " << at / kMs << " ms";
    EXPECT_EQ(gapAt(data, lane, at).has_value(), kind == Moment::Idle);
    const bool says = kind != Moment::Idle && kind != Moment::Computes;
    EXPECT_EQ(!emptyPlaceText(data, lane, at).isEmpty(), says) << "each place says what it is";
  }
  EXPECT_EQ(gapAt(data, 0, 42 * kMs)->range, (TimeRange{40 * kMs, 45 * kMs})) << "what comes is not known";
}

TEST(LaneGaps, ReasonsAreSentencesWithWhatHelps) {
  const TimelineData data(pipelineTrace());
  const Dependencies dependencies(data, nullptr);
  const GapDetails fill = detailsOf(data, dependencies, *firstGapFrom(data, 1, data.range().start, 1));
  EXPECT_EQ(fill.why, causeSentence(Cause::Fill));
  EXPECT_EQ(fill.fix, QStringLiteral("Use more micro-batches or an interleaved or zero-bubble schedule."));
  ASSERT_FALSE(fill.waited_for.empty());
  EXPECT_EQ(fill.next.size(), 1u);
  EXPECT_EQ(fill.causes.total(), fill.gap.range.length());
  for (std::size_t cause = 0; cause < kCauseCount; ++cause) {
    CauseTimes alone;
    alone.times[cause] = kMs;
    EXPECT_EQ(whyText(alone), causeSentence(static_cast<Cause>(cause)));
    EXPECT_FALSE(whyText(alone).isEmpty()) << kCauseTexts[cause];
  }
  EXPECT_EQ(whyText({}), QString()) << "not known, as of very long traces";
  GapDetails later = fill;
  later.causes = {};
  later.why = later.fix = QString();
  EXPECT_EQ(explainedBy(explainIdle(data.trace(), WindowKind::Step), later), fill);
}

class GapsInView : public testworld::TimelineViewTest {
 protected:
  TimelineData data() const { return TimelineData(view.trace()); }
  LaneGap fillOf(int lane) const { return *firstGapFrom(data(), lane, data().range().start, 1); }
  QPoint middleOf(const LaneGap& gap) const { return at(gap.range.start + gap.range.length() / 2, gap.row); }
  std::optional<TimeRange> current() const {
    const auto gap = view.gapDetails();
    return gap ? std::optional(gap->gap.range) : std::nullopt;
  }
  QString selectedSpan() const { return view.spanDetails() ? view.spanDetails()->name : QString(); }
  void key(Qt::Key key, Qt::KeyboardModifiers with = Qt::NoModifier) { QTest::keyClick(&view, key, with); }
};

TEST_F(GapsInView, HoverSaysWhyAndAClickSelects) {
  QString status;
  QObject::connect(&view, &TimelineView::hoverChanged, [&](const QString& sentence) { status = sentence; });
  const QImage before = view.grab().toImage();
  move(middleOf(fillOf(1)));
  EXPECT_TRUE(status.contains(causeSentence(Cause::Fill))) << status.toStdString();
  EXPECT_NE(view.grab().toImage(), before) << "the box";
  EXPECT_FALSE(current());
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  EXPECT_EQ(current(), fillOf(1).range);
  EXPECT_FALSE(view.spanDetails());
  EXPECT_EQ(view.currentLane(), 1);
  EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("Idle before")));
  key(Qt::Key_Escape);
  EXPECT_FALSE(current());
}

TEST_F(GapsInView, WhereIdleTimeIsHiddenThereIsNothingToPointAt) {
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  ASSERT_TRUE(current());
  view.showRows(RowKind::Idle, false);
  EXPECT_FALSE(current()) << "a selection goes with what it was on";
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  EXPECT_FALSE(current());
}

TEST_F(GapsInView, ArrowsGoFromGapToGapAndBack) {
  key(Qt::Key_G);
  ASSERT_TRUE(current()) << "the first one in sight";
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  std::vector<TimeRange> walked{*current()};
  const std::vector<TimeRange> all = rangesFromStart(data(), 1);
  for (std::size_t i = 1; i < all.size(); ++i) {
    key(Qt::Key_Right);
    if (*current() == walked.back()) break;
    walked.push_back(*current());
  }
  EXPECT_GT(walked.size(), 2u);
  EXPECT_TRUE(std::ranges::includes(all, walked, {}, &TimeRange::start, &TimeRange::start));
  while (walked.size() > 1) {
    key(Qt::Key_Left);
    walked.pop_back();
    EXPECT_EQ(*current(), walked.back());
  }
  key(Qt::Key_Up);
  EXPECT_EQ(view.currentLane(), 0);
  key(Qt::Key_Down);
  EXPECT_EQ(view.currentLane(), 1);
}

TEST_F(GapsInView, EnterGoesToWhatItWaitedForAndABracketToWhatCameNext) {
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  key(Qt::Key_Return);
  EXPECT_EQ(selectedSpan(), QStringLiteral("0F0"));
  EXPECT_FALSE(current());
  key(Qt::Key_G, Qt::ShiftModifier);
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  key(Qt::Key_BracketRight);
  EXPECT_EQ(selectedSpan(), QStringLiteral("1F0"));
}

TEST_F(GapsInView, ZoomLeavesAQuarterOfWhatIsSeenAtEachSide) {
  const LaneGap gap =
      rangesFromStart(data(), 1).size() > 1 ? *firstGapFrom(data(), 1, fillOf(1).range.end, kMs / 2) : fillOf(1);
  for (const bool by_key : {true, false}) {
    view.fit();
    by_key ? QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(gap))
           : QTest::mouseDClick(&view, Qt::LeftButton, {}, middleOf(gap));
    if (by_key) key(Qt::Key_Z);
    const TimeRange seen = view.visibleRange();
    EXPECT_NEAR(static_cast<double>(gap.range.start - seen.start) / static_cast<double>(seen.length()), 0.25, 0.01);
    EXPECT_NEAR(static_cast<double>(seen.end - gap.range.end) / static_cast<double>(seen.length()), 0.25, 0.01);
  }
  view.fit();
  EXPECT_TRUE(view.goToGap(1, gap.range)) << "from the table";
  EXPECT_EQ(current(), gap.range);
  EXPECT_FALSE(view.goToGap(7, gap.range));
  EXPECT_FALSE(view.goToGap(0, action(0).range())) << "it computes then";
}

TEST_F(GapsInView, StaySelectedWhileTheTraceGrows) {
  give(pipelineTrace({.steps = 2}));
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  const TimeRange range = fillOf(1).range;
  view.setTrace(pipelineTrace({.steps = 3}));
  EXPECT_EQ(current(), range);
  view.setTrace(testworld::denseTrace(5, 10, 5));
  EXPECT_FALSE(current()) << "another trace";
}

TEST_F(GapsInView, ThePaneShowsAndCopiesAGap) {
  DetailsPane pane;
  pane.resize(900, 220);
  pane.show();
  QTest::mouseClick(&view, Qt::LeftButton, {}, middleOf(fillOf(1)));
  pane.setDetails({});
  pane.setGap(*view.gapDetails());
  ASSERT_TRUE(pane.gap());
  QSignalSpy asked(&pane, &DetailsPane::spanRequested);
  auto* const context = pane.findChild<QTreeWidget*>(QStringLiteral("detailContext"));
  QStringList names;
  for (int i = 0; i < context->topLevelItemCount(); ++i) names << context->topLevelItem(i)->text(0);
  EXPECT_EQ(names.filter(QStringLiteral("W")).front(), QStringLiteral("Why"));
  for (const char* const name : {"What helps", "Waited for", "Next", "Causes"})
    EXPECT_TRUE(names.contains(QLatin1String(name))) << name;
  context->setCurrentItem(context->topLevelItem(static_cast<int>(names.indexOf(QStringLiteral("Next")))));
  QTest::keyClick(context, Qt::Key_Return);
  EXPECT_EQ(asked.count(), 1);
  QTest::mouseClick(pane.findChild<QPushButton*>(QStringLiteral("copyDetailsJson")), Qt::LeftButton);
  const QJsonObject json = QJsonDocument::fromJson(QApplication::clipboard()->text().toUtf8()).object();
  EXPECT_DOUBLE_EQ(json["duration_us"].toDouble(), static_cast<double>(fillOf(1).range.length()) * 1e-3);
  EXPECT_TRUE(json["causes_us"].toObject().contains("fill"));
  QTest::mouseClick(pane.findChild<QPushButton*>(QStringLiteral("copyDetails")), Qt::LeftButton);
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith(QStringLiteral("Idle before Forward, micro-batch 0")));
  pane.setDetails({});
  EXPECT_FALSE(pane.gap());
}

}  // namespace
}  // namespace lanelab
