// SPDX-License-Identifier: GPL-3.0-only
// The dialog What If: what it answers, and what the timeline shows of it.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include "profiler/trace/step_periods.h"
#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/what_if/what_if_dialog.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

/// The measured world of one variant, its trace and what is known of it.
struct Question {
  Question()
      : experiment(test::oneBlockTooMany()),
        model(test::modelIn(experiment)),
        plan(test::planned(experiment, experiment.variants[1])) {
    StepCosts costs = test::randomCosts(model, 3);
    costs.whole.transfers.assign(model.blocks.size() - 1, 0.003);
    trace = test::traceOf(experiment, model, plan, costs);
    Result<MeasuredVariant> measured = measuredVariant(resolve(experiment), "Pipeline", *trace, nullptr);
    EXPECT_TRUE(measured.ok());
    known = std::move(*measured);
  }
  Experiment experiment;
  ModelSpec model;
  VariantPlan plan;
  std::shared_ptr<const Trace> trace;
  MeasuredVariant known;
};

TEST(WhatIfAnswer, OtherLengthsAreTheReplayOfTheAnalysis) {
  const Question q;
  WhatIfQuestion question;
  question.factors.stages[1] = 0.5;
  question.factors.blocks["layer1.0"] = 2;
  const auto answer = answerTo(question, q.trace, &q.known);
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->simulated);
  EXPECT_EQ(answer->before, q.trace);
  EXPECT_EQ(answer->step_after, *meanStepPeriod(replayWith(*q.trace, question.factors)));
  const double after = 1e-9 * static_cast<double>(answer->step_after);
  ASSERT_TRUE(answer->range);
  EXPECT_LT(answer->range->low, after);
  EXPECT_GT(answer->range->high, after);
}

TEST(WhatIfAnswer, OtherMicroBatchesAreSimulatedOnBothSides) {
  const Question q;
  WhatIfQuestion question;
  question.split_size = 2;  // 16 micro-batches in place of 4: less bubble, block times in proportion
  const auto answer = answerTo(question, q.trace, &q.known);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->simulated);
  EXPECT_EQ(answer->before->origin, Origin::Predicted);
  EXPECT_NEAR(static_cast<double>(answer->step_before), 1e9 * q.known.predicted_step, 1e3);
  EXPECT_LT(answer->step_after, answer->step_before);
  EXPECT_EQ(answer->range, rangeOfChange(q.known.predicted_step, 1e-9 * static_cast<double>(answer->step_after), 0.0))
      << "a step is kept in whole nanoseconds";
  question.factors.stages = {{0, 2.0}, {1, 2.0}};
  question.factors.links = {{0, 2.0}};
  EXPECT_NEAR(static_cast<double>(answerTo(question, q.trace, &q.known)->step_after),
              2.0 * static_cast<double>(answer->step_after), 1e-4 * static_cast<double>(answer->step_after))
      << "everything twice as long is the step twice as long";
  EXPECT_EQ(answerTo({question.factors, q.known.plan().micro_batches.split_size}, q.trace, &q.known)->simulated, false)
      << "as measured is replayed";
}

class WhatIfWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    const QString folder = w.place.filePath("measured");
    test::writeMeasuredRun(folder.toStdString());
    w.window->openPath(folder);
    ASSERT_TRUE(waitFor([&] { return timeline()->trace() != nullptr; }));
    w.trigger("whatIf");
    dialog = w.find<WhatIfDialog>("whatIfDialog");
    ASSERT_NE(dialog, nullptr);
  }
  TimelineView* timeline() const { return w.find<TimelineView>("timeline"); }
  template <class T>
  T* part(const char* name) const {
    T* const found = dialog->findChild<T*>(QLatin1String(name));
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void choose(const QString& text) const {
    const int index = part<QComboBox>("whatIfTarget")->findText(text, Qt::MatchStartsWith);
    ASSERT_GE(index, 0) << text.toStdString();
    part<QComboBox>("whatIfTarget")->setCurrentIndex(index);
  }

  WindowWorld w;
  WhatIfDialog* dialog = nullptr;
};

TEST_F(WhatIfWindow, AFactorAnswersAtOnceAndShowsInTheTimeline) {
  const auto measured = timeline()->trace();
  EXPECT_FALSE(part<QPushButton>("whatIfShow")->isEnabled());
  choose("Stage 0");
  part<QSlider>("whatIfSlider")->setValue(-100);  // half
  ASSERT_TRUE(waitFor([&] { return part<QLabel>("whatIfResult")->text().contains("less"); }))
      << part<QLabel>("whatIfResult")->text().toStdString();
  EXPECT_TRUE(part<QLabel>("whatIfResult")->text().startsWith("Replayed: the mean step takes "));
  EXPECT_TRUE(part<QLabel>("whatIfResult")->text().contains("90 % range: "));
  EXPECT_EQ(part<QLabel>("whatIfChanges")->text(), QString::fromUtf8("Changed: stage 0 \u00d7 0.5."));
  part<QPushButton>("whatIfShow")->click();
  ASSERT_NE(timeline()->trace(), measured);
  EXPECT_EQ(timeline()->trace()->origin, Origin::Replayed);
  WhatIf half;
  half.stages[0] = 0.5;
  EXPECT_EQ(meanStepPeriod(*timeline()->trace()), meanStepPeriod(replayWith(*measured, half)));
  part<QPushButton>("whatIfReset")->click();
  ASSERT_TRUE(waitFor([&] { return timeline()->trace() == measured; }));
  EXPECT_TRUE(waitFor([&] { return part<QLabel>("whatIfResult")->text().startsWith("The mean step took "); }));
}

TEST_F(WhatIfWindow, BlocksLinksAndMicroBatchesCanBeChangedTogether) {
  choose("Block layer3.0");
  part<QSlider>("whatIfSlider")->setValue(100);
  choose("Link between stages 0 and 1");
  part<QSlider>("whatIfSlider")->setValue(200);
  auto* const counts = part<QComboBox>("whatIfMicroBatches");
  ASSERT_TRUE(counts->isEnabled());
  counts->setCurrentIndex(counts->findText("8 (micro-batch size 4)"));
  ASSERT_TRUE(waitFor([&] { return part<QLabel>("whatIfResult")->text().startsWith("Simulated: "); }));
  EXPECT_EQ(part<QLabel>("whatIfChanges")->text(),
            QString::fromUtf8("Changed: link 0-1 \u00d7 4, layer3.0 \u00d7 2, 8 micro-batches."));
  choose("Block layer3.0");
  EXPECT_EQ(part<QSlider>("whatIfSlider")->value(), 100) << "each keeps its own factor";
}

TEST_F(WhatIfWindow, ClosingGivesTheTimelineBack) {
  const auto measured = timeline()->trace();
  choose("Stage 1");
  part<QSlider>("whatIfSlider")->setValue(50);
  ASSERT_TRUE(waitFor([&] { return part<QPushButton>("whatIfShow")->isEnabled(); }));
  part<QPushButton>("whatIfShow")->click();
  ASSERT_NE(timeline()->trace(), measured);
  dialog->close();
  EXPECT_TRUE(waitFor([&] { return timeline()->trace() == measured; }));
}

}  // namespace
}  // namespace lanelab
