// SPDX-License-Identifier: GPL-3.0-only
// What a span depends on and what depends on it, the arrows between, and the critical path over them.
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/gui/timeline/shown_view.h"
#include "ui/timeline/model/dependencies.h"
#include "ui/timeline/model/found_spans.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {
namespace {

using testworld::kMs;
using testworld::pipelineTrace;

class DependenciesTest : public ::testing::Test {
 protected:
  SpanRef ref(const char* typed) const { return FoundSpans(data, QString::fromLatin1(typed)).refOf(0).value(); }
  std::string nameOf(std::optional<SpanRef> ref) const {  // with the step as files count
    if (!ref) return "nothing";
    const Span span = data->span(*ref);
    return (span.category == Category::Transfer ? "transfer " : "") + data->trace().nameOf(span) + " step " +
           std::to_string(span.step);
  }

  std::shared_ptr<const TimelineData> data = std::make_shared<const TimelineData>(pipelineTrace());
  Dependencies dependencies{*data, nullptr};
};

TEST_F(DependenciesTest, LeadOverTransfersFromStageToStage) {
  const std::vector<std::array<std::string, 3>> cases = {
      {"1F2 step 2", "transfer 0F2 to 1 step 1", "1B2 step 1"}, {"transfer 0F2 step 2", "0F2 step 1", "1F2 step 1"},
      {"0F2 step 2", "nothing", "transfer 0F2 to 1 step 1"},    {"0B2 step 3", "transfer 1B2 to 0 step 2", "0U step 2"},
      {"1B2", "1F2 step 0", "transfer 1B2 to 0 step 0"},        {"1U", "1B5 step 0", "nothing"}};
  for (const auto& [typed, before, after] : cases) {
    EXPECT_EQ(nameOf(dependencies.waitedOn(ref(typed.c_str()))), before) << typed;
    EXPECT_EQ(nameOf(dependencies.waiting(ref(typed.c_str()))), after) << typed;
  }
}

TEST(BoxOfFactsAndCauses, LeavesFreeWhatItExplains) {
  const QRectF area(0, 0, 1000, 300), lane(0, 60, 1000, 100), span(500, 60, 50, 50);
  const QSizeF size(250, 160);
  const std::vector<QRectF> explained{QRectF(440, 60, 60, 50), QRectF(300, 190, 190, 50)};
  for (const double x : {505.0, 545.0}) {
    const QRectF box = placedClear(lane, span, x, size, area, explained);
    EXPECT_FALSE(box.intersects(span)) << x;
    for (const QRectF& rect : explained) EXPECT_FALSE(box.intersects(rect)) << x;
    EXPECT_TRUE(area.contains(box)) << x;
  }
}

TEST_F(DependenciesTest, ArrowsGoFromTheProducerOverTheTransfer) {
  const SpanRef producer = ref("0F2"), transfer = ref("transfer 0F2"), taker = ref("1F2");
  EXPECT_EQ(dependencies.arrowsOf(taker), (std::vector<Arrow>{{producer, transfer}, {transfer, taker}}));
  EXPECT_EQ(dependencies.arrowsOf(transfer), (std::vector<Arrow>{{producer, transfer}, {transfer, taker}}));
  EXPECT_TRUE(dependencies.arrowsOf(producer).empty());
  EXPECT_TRUE(dependencies.arrowsOf(ref("1B2")).empty());
  EXPECT_TRUE(dependencies.arrowsOf(ref("layer1.0")).empty());
}

TEST(Dependencies, LaunchCallsLeadToTheirKernels) {
  auto trace = std::make_shared<Trace>();
  trace->lanes = {{"thread", ""}, {"stream 7", "cuda:0"}};
  trace->names = {"cudaLaunchKernel", "gemm", "cudaMemcpyAsync", "copy"};
  Track host, stream;
  host.kind = Track::Kind::Host;
  stream.lane = 1;
  stream.kind = Track::Kind::Stream;
  for (const Nanoseconds start : {0, 100})
    host.spans.push_back(
        {.start = start, .end = start + 10, .name = start == 0 ? 0U : 2U, .category = Category::Runtime});
  stream.spans.push_back({.start = 50, .end = 90, .name = 1, .category = Category::Kernel});
  stream.spans.push_back({.start = 120, .end = 140, .name = 3, .category = Category::Memcpy});
  trace->tracks = {host, stream};
  ImportedTrace imported;
  imported.trace = trace;
  imported.rows.resize(2);
  imported.rows[0].correlations = {11, 12};
  imported.rows[1].correlations = {11, 99};
  const TimelineData data(trace);
  const Dependencies dependencies(data, &imported);
  const auto rowOf = [&](std::size_t track) {
    for (std::size_t row = 0; row < data.rows().size(); ++row)
      if (data.rows()[row].track == track) return row;
    return data.rows().size();
  };
  const SpanRef call{rowOf(0), 0}, lonely_call{rowOf(0), 1}, kernel{rowOf(1), 0}, lonely_copy{rowOf(1), 1};
  EXPECT_EQ(dependencies.waitedOn(kernel), call);
  EXPECT_EQ(dependencies.waiting(call), kernel);
  EXPECT_EQ(dependencies.arrowsOf(call), (std::vector<Arrow>{{call, kernel}}));
  EXPECT_EQ(dependencies.arrowsOf(kernel), (std::vector<Arrow>{{call, kernel}}));
  EXPECT_FALSE(dependencies.waiting(lonely_call));
  EXPECT_FALSE(dependencies.waitedOn(lonely_copy));
  EXPECT_TRUE(Dependencies(data, nullptr).arrowsOf(kernel).empty());
}

TEST(Arrows, BracketsWalkTheChain) {
  testworld::ShownView shown;
  TimelineView& view = shown.view;
  QSignalSpy told(&view, &TimelineView::hoverChanged);
  QTest::keyClick(&view, Qt::Key_BracketLeft);  // nothing is current yet
  EXPECT_EQ(told.count(), 0);
  view.setSearch(QStringLiteral("1F2 step 2"));
  view.findNext();
  const auto last = [&] { return told.back().front().toString(); };
  EXPECT_TRUE(last().startsWith(QStringLiteral("Forward, micro-batch 2"))) << last().toStdString();
  QTest::keyClick(&view, Qt::Key_BracketLeft);
  EXPECT_TRUE(last().startsWith(QStringLiteral("Transfer 0F2"))) << last().toStdString();
  QTest::keyClick(&view, Qt::Key_BracketLeft);
  EXPECT_TRUE(last().contains(QStringLiteral("Stage: 0"))) << last().toStdString();
  QTest::keyClick(&view, Qt::Key_BracketLeft);
  EXPECT_EQ(last(), QStringLiteral("This span depends on no other span of its step"));
  QTest::keyClick(&view, Qt::Key_BracketRight);
  EXPECT_TRUE(last().startsWith(QStringLiteral("Transfer 0F2"))) << last().toStdString();
}

TEST(CriticalPathView, IsDrawnWhileItIsSwitchedOn) {
  testworld::ShownView shown;
  TimelineView& view = shown.view;
  const QImage without = view.grab().toImage();
  view.setShowCriticalPath(true);
  EXPECT_TRUE(view.showsCriticalPath());
  EXPECT_NE(view.grab().toImage(), without);
  view.setShowCriticalPath(false);
  EXPECT_EQ(view.grab().toImage(), without);
}

}  // namespace
}  // namespace lanelab
