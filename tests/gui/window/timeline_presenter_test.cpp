// SPDX-License-Identifier: GPL-3.0-only
// What the timeline shows follows from one value: nothing of the value before is left over.
#include <gtest/gtest.h>

#include <QRegularExpression>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <set>
#include <stop_token>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/tables/csv_tables.h"
#include "tests/gui/timeline/timeline_world.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/fake_executor.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/elided_label.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {
namespace {

std::shared_ptr<const Trace> traceOfSteps(int steps) {
  testworld::PipelineShape shape;
  shape.steps = steps;
  return testworld::PipelineWriter(shape).write();
}

/// Predicts nothing.
std::shared_ptr<const Trace> noStep(const StepQuestion&, const std::stop_token&) { return nullptr; }

/// The views of the Watch half and what they depend on.
struct Presented {
  explicit Presented(PredictStep predict = noStep)
      : presenter({&timeline, &idle, &headline}, &document, &run, &bookmarks, makeFakeExecutor({}), std::move(predict),
                  nullptr) {
    timeline.showRows(RowKind::Predicted, true);
  }

  TimelineView timeline;
  IdleTable idle;
  ElidedLabel headline;
  ExperimentDocument document;
  ShownRun run;
  RunBookmarks bookmarks;
  TimelinePresenter presenter;

  bool hasOutlines() { return timeline.picture().caption.contains("Outlines: predicted"); }
  /// What tells the kinds apart; the visible range may stay.
  std::vector<std::string> seen() {
    const auto trace = timeline.trace();
    return {std::to_string(trace ? trace->spanCount() : 0), headline.text().toStdString(),
            timeline.follows() ? "follows" : "stays", timeline.hasDifferences() ? "two" : "one",
            hasOutlines() ? "predicted" : "measured"};
  }
};

class ShownTraces : public ::testing::Test {
 protected:
  FinishedVariant finished() const {
    auto record = std::make_shared<RunRecord>();
    record->error = "The disk is full.";
    return {record, "Pipeline", m_one};
  }
  ImportedFile imported() const {
    auto file = std::make_shared<ImportedTrace>();
    file->format = "chrome";
    file->trace = m_two;
    return {file, "/somewhere/trace.json"};
  }
  ComparedTraces compared() const {
    return {std::make_shared<const AlignedRuns>(alignRuns(*m_one, *m_two)), m_one, finished(), "A and B"};
  }
  ReplayedSteps replayed() const { return {finished(), m_two, "stage 0 x 0.5"}; }
  std::vector<ShownTrace> all() const {
    return {NoTrace{}, LiveRun{nullptr, ""}, LiveRun{m_two, "repeat 1 of 5"}, finished(), imported(), compared(),
            replayed()};
  }

  std::shared_ptr<const Trace> m_one = traceOfSteps(1), m_two = traceOfSteps(2);
};

TEST_F(ShownTraces, EachLooksTheSameWhateverWasShownBefore) {
  for (const ShownTrace& to : all()) {
    Presented alone;
    alone.presenter.show(to);
    for (const ShownTrace& from : all()) {
      Presented after;
      after.presenter.show(from);
      after.presenter.show(to);
      EXPECT_EQ(after.seen(), alone.seen()) << "from kind " << from.index() << " to kind " << to.index();
    }
  }
}

TEST_F(ShownTraces, KindsHaveTheirSentences) {
  Presented p;
  const auto sentence = [&](const ShownTrace& shown) {
    p.presenter.show(shown);
    return p.headline.text();
  };
  EXPECT_EQ(sentence(NoTrace{}), "");
  EXPECT_EQ(sentence(LiveRun{}), "Preparing the run");
  EXPECT_EQ(sentence(LiveRun{m_one, "repeat 1 of 5"}), "Pipeline, live: repeat 1 of 5");
  EXPECT_EQ(sentence(LiveRun{m_one, {}}), "Pipeline: last repeat; another variant is running");
  EXPECT_TRUE(sentence(finished()).startsWith("Pipeline, measured, 1 step: idle "));
  EXPECT_EQ(sentence(imported()), "trace.json, imported: 0 spans, 0 flows (chrome)");
  EXPECT_TRUE(sentence(compared()).startsWith("A and B. ")) << p.headline.text().toStdString();
  EXPECT_TRUE(sentence(replayed()).startsWith("What if stage 0 x 0.5: Pipeline, "));
}

TEST_F(ShownTraces, TheHeadlineNamesWhatRunsNow) {
  Presented p;
  RunProgress progress;
  progress.phase = "Preparing Single: resnet18 in 1 stage";
  progress.preparing = true;
  p.presenter.show(LiveRun{});
  p.presenter.showActivity(progress);
  EXPECT_EQ(p.headline.text(), progress.phase);
  EXPECT_EQ(p.timeline.emptyText(), "Preparing Single: resnet18 in 1 stage. Lanes appear with the first action.");
  progress.phase = "warm-up of Pipeline";
  progress.preparing = false;
  progress.variant = "Pipeline";
  p.presenter.showActivity(progress);
  p.presenter.show(LiveRun{m_one, "warm-up"});
  EXPECT_EQ(p.headline.text(), "Pipeline, live: warm-up");
  progress.phase = "warm-up of Single";
  progress.variant = "Single";
  p.presenter.showActivity(progress);
  EXPECT_EQ(p.headline.text(), "Warm-up of Single (shown: last repeat of Pipeline)");
  p.presenter.show(NoTrace{});
  EXPECT_TRUE(p.timeline.emptyText().startsWith("No run to show.")) << p.timeline.emptyText().toStdString();
  p.presenter.show(LiveRun{});
  EXPECT_EQ(p.headline.text(), "Preparing the run") << "nothing is left over";
}

TEST_F(ShownTraces, AComparisonAndAReplayGoBackToWhatWasMeasured) {
  Presented p;
  for (const ShownTrace& shown : {ShownTrace(compared()), ShownTrace(replayed())}) {
    p.presenter.show(shown);
    p.presenter.showMeasured();
    EXPECT_EQ(p.timeline.trace(), m_one);
  }
  p.presenter.show(ReplayedSteps{imported(), m_one, "stage 0 x 0.5"});
  p.presenter.showMeasured();
  EXPECT_EQ(p.timeline.trace(), m_two);
}

TEST_F(ShownTraces, ALockedTimelineShowsTheChosenVariantOnly) {
  Presented p;
  Experiment two;
  two.variants.resize(2);
  two.variants[0].name = "Single";
  two.variants[1].name = "Pipeline";
  p.document.reset(two, {});
  p.document.activateVariant("Single");
  p.presenter.setFollowsRun(false);
  p.presenter.show(LiveRun{});
  p.run.addLive(m_one);
  p.presenter.showLive(m_one, "warm-up");
  EXPECT_EQ(p.timeline.trace(), nullptr) << "Pipeline runs, Single is chosen";
  EXPECT_EQ(p.headline.text(), "Single has not run yet");
  p.document.activateVariant("Pipeline");
  EXPECT_EQ(p.timeline.trace(), m_one);
  p.presenter.showLive(m_two, "repeat 1 of 5");
  EXPECT_EQ(p.timeline.trace(), m_two);
  EXPECT_EQ(p.headline.text(), "Pipeline, live: repeat 1 of 5");
}

TEST_F(ShownTraces, AFollowedRunIsShownWhateverIsChosen) {
  Presented p;
  p.presenter.show(LiveRun{});
  p.presenter.showLive(m_one, "warm-up");
  EXPECT_EQ(p.timeline.trace(), m_one);
}

TEST_F(ShownTraces, TheSecondRepeatOfAVariantHasTheAxisOfTheFirst) {
  Presented p;
  p.presenter.show(LiveRun{});
  p.presenter.showLive(m_one, "warm-up");
  auto next = std::make_shared<Trace>(*traceOfSteps(1));
  next->epoch = 7;
  std::erase_if(next->tracks, [](const Track& track) { return track.kind == Track::Kind::Step; });
  for (Track& track : next->tracks) track.spans.truncate(1);
  p.presenter.showLive(next, "repeat 1 of 5");
  EXPECT_GE(p.timeline.visibleRange().length(), m_one->range().length());
}

/// Predictions that end when the test says so, or with the limit of all waits.
class HeldPredictions {
 public:
  explicit HeldPredictions(std::shared_ptr<const Trace> predicted) : m_predicted(std::move(predicted)) {}

  PredictStep predict() {
    return [this](const StepQuestion& question, std::stop_token stop) {
      std::unique_lock lock(m_mutex);
      m_asked.push_back(question.variant);
      const bool released = m_wake.wait_for(lock, std::chrono::milliseconds(test::kLimit),
                                            [&] { return m_released.contains(question.variant); });
      EXPECT_TRUE(released) << "whoever asked for " << question.variant << " waited for it";
      if (stop.stop_requested()) m_stopped.insert(question.variant);
      return m_predicted;
    };
  }
  void release(const std::string& variant) {
    const std::lock_guard lock(m_mutex);
    m_released.insert(variant);
    m_wake.notify_all();
  }
  std::vector<std::string> asked() {
    const std::lock_guard lock(m_mutex);
    return m_asked;
  }
  std::set<std::string> stopped() {
    const std::lock_guard lock(m_mutex);
    return m_stopped;
  }

 private:
  const std::shared_ptr<const Trace> m_predicted;
  std::mutex m_mutex;
  std::condition_variable m_wake;
  std::vector<std::string> m_asked;
  std::set<std::string> m_released, m_stopped;
};

TEST_F(ShownTraces, AVariantIsShownBeforeItsStepIsPredicted) {
  HeldPredictions held(m_one);
  Presented shown(held.predict());
  shown.presenter.show(finished());
  EXPECT_EQ(shown.timeline.trace(), m_one);
  EXPECT_FALSE(shown.hasOutlines());
  ASSERT_TRUE(test::waitFor([&] { return held.asked().size() == 1; }));
  held.release("Pipeline");
  EXPECT_TRUE(test::waitFor([&] { return shown.hasOutlines(); }));
}

TEST_F(ShownTraces, ThePredictionOfAnEarlierVariantIsStoppedAndDropped) {
  HeldPredictions held(m_one);
  Presented shown(held.predict());
  shown.presenter.show(finished());
  ASSERT_TRUE(test::waitFor([&] { return held.asked().size() == 1; }));
  shown.presenter.show(FinishedVariant{finished().record, "Another", m_two});
  held.release("Pipeline");
  ASSERT_TRUE(test::waitFor([&] { return held.asked().size() == 2; }));
  EXPECT_EQ(held.stopped(), std::set<std::string>{"Pipeline"});
  QCoreApplication::processEvents();
  EXPECT_FALSE(shown.hasOutlines()) << "of a variant that is no longer shown";
  held.release("Another");
  EXPECT_TRUE(test::waitFor([&] { return shown.hasOutlines(); }));
}

TEST_F(ShownTraces, WhateverTakesThePlaceOfAVariantStopsItsPrediction) {
  for (const ShownTrace& next : {ShownTrace(NoTrace{}), ShownTrace(LiveRun{}), ShownTrace(imported()),
                                 ShownTrace(replayed()), ShownTrace(FinishedVariant{nullptr, "Bare", m_two})}) {
    HeldPredictions held(m_one);
    Presented shown(held.predict());
    shown.presenter.show(finished());
    ASSERT_TRUE(test::waitFor([&] { return !held.asked().empty(); }));
    shown.presenter.show(next);
    held.release("Pipeline");
    EXPECT_TRUE(test::waitFor([&] { return !held.stopped().empty(); })) << "by kind " << next.index();
  }
}

TEST_F(ShownTraces, AWindowThatClosesStopsThePrediction) {
  std::atomic<bool> stopped = false;
  std::promise<void> begun;
  {
    Presented shown([&](const StepQuestion&, const std::stop_token& stop) -> std::shared_ptr<const Trace> {
      std::promise<void> requested;
      const std::stop_callback on_stop(stop, [&] { requested.set_value(); });
      begun.set_value();
      stopped = requested.get_future().wait_for(std::chrono::milliseconds(test::kLimit)) == std::future_status::ready;
      return nullptr;
    });
    shown.presenter.show(finished());
    ASSERT_EQ(begun.get_future().wait_for(std::chrono::milliseconds(test::kLimit)), std::future_status::ready);
  }
  EXPECT_TRUE(stopped);
}

TEST_F(ShownTraces, TheStepOfALiveVariantIsPredictedOnceWhileItsTraceGrows) {
  HeldPredictions held(m_one);
  Presented shown(held.predict());
  auto growing = std::make_shared<Trace>(*m_one);
  std::erase_if(growing->tracks, [](const Track& track) { return track.kind == Track::Kind::Step; });
  shown.presenter.show(LiveRun{});
  for (int i = 0; i < 5; ++i) {
    shown.presenter.showLive(std::make_shared<const Trace>(*growing), "warm-up");
    QCoreApplication::processEvents();
  }
  ASSERT_TRUE(test::waitFor([&] { return !held.asked().empty(); }));
  held.release("Pipeline");
  shown.presenter.showLive(growing, "warm-up");
  EXPECT_TRUE(test::waitFor([&] { return shown.timeline.visibleRange().length() >= m_one->range().length(); }));
  EXPECT_EQ(held.asked(), std::vector<std::string>{"Pipeline"});
}

TEST_F(ShownTraces, WithoutARunAnImportedFileStays) {
  const ShownRun none;
  const ImportedFile file = imported();
  EXPECT_EQ(nextShownTrace(file, none, "Pipeline"), ShownTrace(file));
  EXPECT_EQ(nextShownTrace(ReplayedSteps{file, m_one, ""}, none, "Pipeline"), ShownTrace(file));
  EXPECT_EQ(nextShownTrace(finished(), none, "Pipeline"), ShownTrace(NoTrace{}));
}

TEST_F(ShownTraces, TwoTracesStayTogetherUntilAnotherVariantIsWanted) {
  ShownRun run;
  run.addLive(m_one);
  const ShownTrace together = compared();
  EXPECT_EQ(nextShownTrace(together, run, "Pipeline"), together);
  EXPECT_EQ(nextShownTrace(together, run, "Single"), ShownTrace(NoTrace{}));
  EXPECT_EQ(nextShownTrace(replayed(), run, "Pipeline"), ShownTrace(FinishedVariant{nullptr, "Pipeline", m_one}));
}

TEST_F(ShownTraces, ASelectedRangeIsThatOfIdleTimesAndExportsButAGapThatIsLookedAtIsNot) {
  Presented shown;
  shown.presenter.show(finished());
  const TimeRange all = analysedTrace(shown.presenter.shown())->range();
  const TimeRange first_half{all.start, all.start + all.length() / 2};
  shown.timeline.setSelection(first_half);
  ASSERT_EQ(shown.presenter.selectedRange(), first_half);
  const std::string csv = timelineCsv(shown.presenter.shown(), first_half);
  EXPECT_LT(csv.size(), timelineCsv(shown.presenter.shown()).size());
  EXPECT_NE(shown.timeline.picture(first_half).caption, shown.timeline.picture().caption);
  const TimeRange gap{all.start, all.start + 5 * testworld::kMs};
  constexpr int kNotDrawn = 99;  // as GPUs of another program's trace are not
  Q_EMIT shown.idle.jumpRequested(kNotDrawn, gap);
  EXPECT_EQ(shown.timeline.selection(), gap);
  EXPECT_EQ(shown.presenter.selectedRange(), first_half) << "or the table would shrink to the gap";
  Q_EMIT shown.idle.rangeClearRequested();
  EXPECT_FALSE(shown.timeline.selection());
  EXPECT_FALSE(shown.presenter.selectedRange());
}

TEST_F(ShownTraces, TheGapsOfAFileAreThoseOfTheCommandGaps) {
  // The two spans overlap, so the thread has two rows.
  const auto read = importBytes(R"({"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":4},
{"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":3,"dur":4},
{"ph":"X","cat":"cpu_op","name":"c","pid":1,"tid":1,"ts":9,"dur":1}]})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Trace& trace = *(*read)->trace;
  const std::string of_command = gapTableCsv(trace, explainIdle(**read), trace.range().start);
  ASSERT_NE(of_command, gapTableCsv(trace, explainIdle(trace), trace.range().start)) << "the rows of the file matter";
  EXPECT_EQ(timelineCsv(ImportedFile{*read, "overlap.json"}), of_command);
}

TEST_F(ShownTraces, AnotherTraceHasNoSelectedRange) {
  Presented shown;
  shown.presenter.show(finished());
  const TimeRange all = analysedTrace(shown.presenter.shown())->range();
  shown.timeline.setSelection(all);
  ASSERT_TRUE(shown.presenter.selectedRange());
  shown.presenter.show(FinishedVariant{finished().record, "Dense", testworld::denseTrace(50, 1000, 500)});
  EXPECT_FALSE(shown.presenter.selectedRange());
}

TEST_F(ShownTraces, TwoTracesAreComparedOverTheSelectedRange) {
  Presented shown;
  const ComparedTraces both = compared();
  const std::size_t all = both.aligned->cells.size();
  shown.presenter.show(both);
  const QString whole = QString("A and B. %1 matching actions").arg(all);
  EXPECT_TRUE(shown.headline.text().startsWith(whole)) << shown.headline.text().toStdString();
  const TimeRange step = both.aligned->windows_a.front().range;
  const TimeRange half{step.start, step.start + step.length() / 2};
  const std::size_t cells = actionsWithin(*both.aligned, half).cells.size();
  ASSERT_TRUE(cells > 1 && cells < all) << cells << " of " << all;
  shown.timeline.setSelection(half);
  EXPECT_EQ(shown.presenter.selectedRange(), half);
  EXPECT_TRUE(
      shown.headline.text().startsWith(QString("A and B. In the selected range: %1 matching actions: B ").arg(cells)))
      << shown.headline.text().toStdString();
  const std::string csv = timelineCsv(shown.presenter.shown(), shown.presenter.selectedRange());
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), 1 + cells);
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(timelineCsv(shown.presenter.shown()), '\n')), 1 + all);
  shown.timeline.setSelection({});
  EXPECT_TRUE(shown.headline.text().startsWith(whole)) << shown.headline.text().toStdString();
}

TEST_F(ShownTraces, ARangeOfTwoTracesIsNotThatOfIdleTimes) {
  Presented shown;
  shown.idle.show();
  shown.presenter.show(compared());
  shown.timeline.setSelection(m_one->range());
  EXPECT_FALSE(shown.idle.findChild<QWidget*>("idleRange")->isVisible()) << "they are on another axis";
}

TEST_F(ShownTraces, TheSentenceNamesTheNextActionWithItsStage) {
  Presented shown;
  shown.presenter.show(finished());
  const QString sentence = shown.headline.text();
  EXPECT_TRUE(QRegularExpression(" before ([FB][0-9]+ \\(stage [0-9]\\)|end of step)$").match(sentence).hasMatch())
      << sentence.toStdString();
}

}  // namespace
}  // namespace lanelab
