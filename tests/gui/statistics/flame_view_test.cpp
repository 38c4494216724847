// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/flame_view.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/statistics/statistics_pane.h"

namespace lanelab {
namespace {

constexpr int kFlameLimitMs = 20'000;

class FlameViewTest : public ::testing::Test {
 protected:
  FlameViewTest() {
    view.resize(800, 200);
    view.setFlame(flameOf(trace));
    view.show();
    QObject::connect(&view, &FlameView::spanRequested,
                     [this](const StatisticsTrace&, const SpanMatch& span) { requested.push_back(span); });
  }

  static std::shared_ptr<const ShownFlame> flameOf(const std::shared_ptr<const Trace>& of) {
    return std::make_shared<const ShownFlame>(ShownFlame{{of}, flameTree(*of, nullptr).value_or(FlameTree{})});
  }
  /// The first of that name.
  std::uint32_t frame(const std::string& name) const {
    for (std::uint32_t i = 0; i < tree.frames.size(); ++i)
      if (FlameTree::nameOf(*trace, tree.frames[i]) == name) return i;
    ADD_FAILURE() << name;
    return 0;
  }
  void click(std::uint32_t on) { QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOf(on).center().toPoint()); }

  std::shared_ptr<const Trace> trace = testworld::pipelineTrace();
  FlameTree tree = flameOf(trace)->tree;
  FlameView view;
  std::vector<SpanMatch> requested;
};

TEST_F(FlameViewTest, FramesAreAsWideAsTheirTimeAndLieInTheirParents) {
  for (std::uint32_t i = 0; i < tree.frames.size(); ++i) {
    const FlameFrame& one = tree.frames[i];
    EXPECT_NEAR(view.rectOf(i).width(), 800.0 * static_cast<double>(one.total) / static_cast<double>(tree.total), 1e-6);
    if (one.parent == FlameFrame::kNone) continue;
    const QRectF parent = view.rectOf(one.parent);
    EXPECT_NEAR(view.rectOf(i).top(), parent.bottom(), 1e-6);
    EXPECT_GE(view.rectOf(i).left(), parent.left() - 1e-6);
    EXPECT_LE(view.rectOf(i).right(), parent.right() + 1e-6);
  }
}

TEST_F(FlameViewTest, AClickWidensAFrameAndAsksForItsLongestSpanAndEscapeGoesBack) {
  const std::uint32_t forward = frame("forward, stage 0"), backward = frame("backward, stage 1");
  click(forward);
  EXPECT_EQ(requested, (std::vector{tree.frames[forward].longest_span}));
  EXPECT_EQ(view.rectOf(forward).width(), 800);
  EXPECT_TRUE(view.rectOf(backward).isEmpty());
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_FALSE(view.rectOf(backward).isEmpty());
}

TEST_F(FlameViewTest, EscapeGoesBackFrameByFrame) {
  const std::uint32_t block = frame("layer1.0");
  click(block);
  EXPECT_EQ(view.rectOf(block).width(), 800);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_EQ(view.rectOf(tree.frames[block].parent).width(), 800);
  QTest::keyClick(&view, Qt::Key_Escape);
  EXPECT_LT(view.rectOf(tree.frames[block].parent).width(), 800);
}

TEST_F(FlameViewTest, KeysGoFromFrameToFrame) {
  QTest::keyClick(&view, Qt::Key_Down);
  const QString first = view.currentText();
  EXPECT_TRUE(first.startsWith("backward")) << "the largest one: " << first.toStdString();
  EXPECT_EQ(view.accessibleDescription(), first);
  QTest::keyClick(&view, Qt::Key_Down);
  EXPECT_TRUE(view.currentText().startsWith("layer")) << view.currentText().toStdString();
  QTest::keyClick(&view, Qt::Key_Up);
  EXPECT_EQ(view.currentText(), first);
  QTest::keyClick(&view, Qt::Key_Right);
  EXPECT_NE(view.currentText(), first);
  QTest::keyClick(&view, Qt::Key_Left);
  EXPECT_EQ(view.currentText(), first);
  QTest::keyClick(&view, Qt::Key_Return);
  EXPECT_EQ(requested.size(), 1U);
}

TEST_F(FlameViewTest, InALongerTraceTheSameFrameStaysWide) {
  click(frame("forward, stage 0"));
  const QString before = view.currentText();
  trace = testworld::pipelineTrace({.steps = 5});
  tree = flameOf(trace)->tree;
  view.setFlame(flameOf(trace));
  EXPECT_EQ(view.rectOf(frame("forward, stage 0")).width(), 800);
  EXPECT_NE(view.currentText(), before) << "with its new figures";
  view.setFlame(nullptr);
  EXPECT_TRUE(view.currentText().isEmpty());
}

TEST_F(FlameViewTest, InThePaneIsOfTheRangeOrOfTheSelectedSpan) {
  StatisticsPane pane;
  pane.resize(900, 400);
  pane.show();
  pane.setTrace({trace});
  pane.findChild<QTabBar*>("statisticsViews")->setCurrentIndex(2);
  const auto shows = [&](const QString& words) {
    auto* const note = pane.findChild<QLabel*>("statisticsNote");
    return QTest::qWaitFor([&] { return pane.isCurrent() && note->text().contains(words); }, kFlameLimitMs);
  };
  ASSERT_TRUE(shows("Time of all spans"));
  const auto* const flame = pane.findChild<FlameView*>();
  EXPECT_TRUE(flame->isVisible());
  EXPECT_EQ(flame->rectOf(0).top(), 0);
  pane.findChild<QCheckBox*>("statisticsOnlySpan")->setChecked(true);
  ASSERT_TRUE(shows("No span is selected"));
  pane.selectSpan(1, 0);
  ASSERT_TRUE(shows("Time of all spans"));
  EXPECT_EQ(flame->rectOf(0).width(), flame->width()) << "the action alone";
}

}  // namespace
}  // namespace lanelab
