// SPDX-License-Identifier: GPL-3.0-only
// Advice on the split size in the window: asked for, watched, shown as a curve, taken over.
#include <gtest/gtest.h>

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>

#include "tests/gui/window/window_world.h"
#include "ui/charts/sweep_view.h"
#include "ui/look/elided_label.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

/// Block times go into a place of this test's own.
class SweepWindow : public ::testing::Test {
 protected:
  SweepWindow() { qputenv("LANELAB_PROFILES", m_profiles.path().toUtf8()); }
  ~SweepWindow() override { qunsetenv("LANELAB_PROFILES"); }

  static bool ended(const WindowWorld& w) {
    return waitFor([&] { return !w.window->controller().running(); });
  }

 private:
  QTemporaryDir m_profiles;
};

TEST_F(SweepWindow, AdviceIsPredictedMeasuredShownAndTaken) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));
  w.trigger("adviseSplitSize");
  EXPECT_TRUE(w.window->action("sweepSplitSizes")->isEnabled()) << "it queues the sweep";
  ASSERT_TRUE(ended(w));
  ASSERT_TRUE(w.record()) << w.window->messages().sentence().toStdString();
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  EXPECT_GE(w.record()->variants.size(), 3u) << "the best three, and the present one";
  EXPECT_GE(w.record()->predictions.size(), 4u) << "1, 2, 4 and 8 of a batch of 16, and the present one";
  const std::vector<SweepPoint> points = sweepPoints(*w.record());
  const SweepPoint* const advised = advisedPoint(points);
  const QString advice = w.find<QLabel>("sweepAdvice")->text();
  EXPECT_EQ(advice.contains("is the fastest measured"), advised != nullptr) << advice.toStdString();
  EXPECT_EQ(advice.startsWith("No clear difference between micro-batch sizes"), advised == nullptr);
  EXPECT_FALSE(w.find<QDockWidget>("sweepDock")->visibleRegion().isEmpty());

  EXPECT_EQ(w.find<QPushButton>("useSplitSize")->isHidden(), advised == nullptr);
  if (advised == nullptr) return;
  const int split_size = advised->split_size;
  w.find<QPushButton>("useSplitSize")->click();
  EXPECT_EQ(w.window->document().experiment().variants[2].split_size, split_size);
}

TEST_F(SweepWindow, OnlyEditsAfterASweepAreCalledEdits) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));
  const auto headline = [&] { return w.find<ElidedLabel>("traceHeadline")->text(); };
  w.trigger("adviseSplitSize");
  ASSERT_TRUE(ended(w));
  ASSERT_TRUE(waitFor([&] { return headline().contains("measured"); })) << headline().toStdString();
  EXPECT_FALSE(headline().contains("before your last edits")) << headline().toStdString();
  w.window->document().edit("steps", [](Experiment& e) { e.data.steps = 3; });
  EXPECT_TRUE(headline().contains("before your last edits")) << headline().toStdString();
}

TEST_F(SweepWindow, AnotherExperimentHasNoCurveOfTheOneBefore) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));
  const auto* const view = w.window->findChild<SweepView*>();
  w.trigger("adviseSplitSize");
  ASSERT_TRUE(ended(w));
  ASSERT_TRUE(waitFor([&] { return view->hasCurve(); }));
  w.window->openExperiment(test::smallExperiment(), {});
  EXPECT_FALSE(view->hasCurve());
}

TEST_F(SweepWindow, WithoutAPipelineThereIsNothingToAdvise) {
  WindowWorld w;
  EXPECT_TRUE(w.window->action("adviseSplitSize")->isEnabled());
  w.window->document().edit("no pipeline", [](Experiment& e) { e.variants.resize(2); });
  EXPECT_FALSE(w.window->action("adviseSplitSize")->isEnabled());
  EXPECT_FALSE(w.find<QPushButton>("adviseButton")->isEnabled());
}

TEST_F(SweepWindow, ItCanBeCancelled) {
  WindowWorld w(test::slow(std::chrono::microseconds(2000)));
  w.trigger("sweepSplitSizes");
  ASSERT_TRUE(waitFor([&] { return w.window->controller().running(); }));
  w.trigger("cancel");
  EXPECT_TRUE(ended(w));
  EXPECT_TRUE(w.window->action("run")->isEnabled());
}

}  // namespace
}  // namespace lanelab
