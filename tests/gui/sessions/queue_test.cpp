// SPDX-License-Identifier: GPL-3.0-only
// Runs that are queued while another one is in progress: their order, what happens when one ends, and what the window
// says of them.
#include <gmock/gmock.h>

#include <QListWidget>
#include <QToolButton>
#include <atomic>
#include <stdexcept>

#include "tests/gui/sessions/session_world.h"
#include "ui/queue/queue_dialog.h"
#include "ui/queue/run_queue.h"

namespace lanelab::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

QueuedRun named(const char* name) {
  QueuedRun run;
  run.experiment.name = name;
  return run;
}

std::vector<std::string> names(const RunQueue& queue) {
  std::vector<std::string> all;
  for (const QueuedRun& run : queue.runs()) all.push_back(run.title().toStdString());
  return all;
}

TEST(RunQueue, IsInTheOrderOfItsRunsUntilTheyAreMoved) {
  RunQueue queue;
  int changes = 0;
  QObject::connect(&queue, &RunQueue::changed, &queue, [&] { ++changes; });
  for (const char* name : {"a", "b", "c"}) queue.add(named(name));
  EXPECT_THAT(names(queue), ElementsAre("a", "b", "c"));
  const int c = queue.runs()[2].id;
  queue.move(c, -1);
  EXPECT_THAT(names(queue), ElementsAre("a", "c", "b"));
  queue.move(c, -1);
  queue.move(c, -1);
  EXPECT_THAT(names(queue), ElementsAre("c", "a", "b")) << "the first stays the first";
  queue.move(c, +1);
  EXPECT_THAT(names(queue), ElementsAre("a", "c", "b"));
  queue.remove(c);
  EXPECT_THAT(names(queue), ElementsAre("a", "b"));
  EXPECT_FALSE(queue.contains(c));
  EXPECT_EQ(changes, 7);
  queue.remove(c);
  EXPECT_EQ(changes, 7) << "there was nothing to remove";
}

/// A window in which a run is in progress, and the runs that ended; other programs use `busy` of two cores.
struct QueueWindow {
  std::shared_ptr<std::atomic<double>> busy = std::make_shared<std::atomic<double>>(0);
  SessionPlace place;
  StartedWindow w;
  std::vector<std::shared_ptr<const RunRecord>> ended;

  explicit QueueWindow(FakeBehaviour behaviour = slow(std::chrono::microseconds(200)))
      : w(place, {}, std::move(behaviour), [busy = busy] {
          return std::optional(MachineLoad{busy->load(), 2});
        }) {
    qputenv("LANELAB_PROFILES", place.file("profiles").toUtf8());
    QObject::connect(&w.window->controller(), &RunController::finished, w.window.get(),
                     [this](const std::shared_ptr<const RunRecord>& record) { ended.push_back(record); });
    w.trigger("run");
    EXPECT_TRUE(waitFor([&] { return w.window->controller().running(); }));
  }
  ~QueueWindow() {
    queue().clear();
    qunsetenv("LANELAB_PROFILES");
  }

  RunQueue& queue() const { return *w.window->findChild<RunQueue*>(); }
  bool ends(std::size_t runs) const {
    return waitFor([&] { return ended.size() == runs && queue().isEmpty() && !w.window->controller().running(); },
                   60'000);
  }
  std::vector<std::uint64_t> seeds() const {
    std::vector<std::uint64_t> all;
    for (const auto& record : ended) all.push_back(record->experiment.training.seed);
    return all;
  }
  QToolButton* button() const { return w.window->findChild<QToolButton*>("queueButton"); }
};

TEST(QueuedRuns, RunOffersToQueueDuringARun) {
  const QueueWindow q;
  EXPECT_EQ(q.w.window->action("run")->text().remove('&'), "Run Next");
  EXPECT_TRUE(q.button()->isHidden());
  EXPECT_FALSE(q.w.window->action("queue")->isEnabled());
  q.w.trigger("run");
  EXPECT_THAT(names(q.queue()), ElementsAre("small"));
  EXPECT_EQ(q.button()->text(), "1 queued");
  EXPECT_FALSE(q.button()->isHidden());
  ASSERT_TRUE(q.ends(2));
  EXPECT_TRUE(q.button()->isHidden());
  EXPECT_EQ(q.w.window->action("run")->text().remove('&'), "Run");
  EXPECT_EQ(q.ended[0]->experiment, q.ended[1]->experiment);
  EXPECT_EQ(q.ended[1]->status, RunStatus::Done);
}

TEST(QueuedRuns, StartInTheirOrderAndEachNewSeedIsAnother) {
  const QueueWindow q;
  const std::uint64_t seed = q.w.document().experiment().training.seed;
  for (int i = 0; i < 2; ++i) q.w.trigger("runNewSeed");
  EXPECT_THAT(names(q.queue()),
              ElementsAre("small, seed " + std::to_string(seed + 1), "small, seed " + std::to_string(seed + 2)));
  EXPECT_EQ(q.w.document().experiment().training.seed, seed) << "read-only during a run";
  ASSERT_TRUE(q.ends(3));
  EXPECT_THAT(q.seeds(), ElementsAre(seed, seed + 1, seed + 2));
  EXPECT_EQ(q.w.document().experiment().training.seed, seed + 2) << "the open experiment is that of the last run";
  q.w.document().undoStack()->setIndex(0);
  EXPECT_EQ(q.w.document().experiment().training.seed, seed);
}

TEST(QueuedRuns, OfMicroBatchSizesAreMeasuredToo) {
  const QueueWindow q;
  q.w.trigger("sweepSplitSizes");
  EXPECT_THAT(names(q.queue()), ElementsAre("small, all micro-batch sizes"));
  ASSERT_TRUE(q.ends(2));
  EXPECT_GT(q.ended[1]->variants.size(), q.ended[0]->variants.size());
}

TEST(QueuedRuns, TheNextStartsAfterACancelToo) {
  const QueueWindow q;
  q.w.trigger("runNewSeed");
  q.w.trigger("cancel");
  ASSERT_TRUE(q.ends(2));
  EXPECT_EQ(q.ended[0]->status, RunStatus::Cancelled);
  EXPECT_EQ(q.ended[1]->status, RunStatus::Done);
}

TEST(QueuedRuns, TheNextStartsAfterAFailureWhichRemainsInSight) {
  FakeBehaviour behaviour = slow(std::chrono::microseconds(200));
  auto failed = std::make_shared<std::atomic<bool>>(false);
  behaviour.before = [failed](LaneId, const Action& action, int) {
    if (action.kind == ActionKind::Update && !failed->exchange(true)) throw std::runtime_error("planted");
  };
  const QueueWindow q(behaviour);
  q.w.trigger("run");
  ASSERT_TRUE(q.ends(2));
  EXPECT_EQ(q.ended[0]->status, RunStatus::Failed);
  EXPECT_EQ(q.ended[1]->status, RunStatus::Done);
  EXPECT_THAT(q.w.message(), HasSubstr("planted"));
}

TEST(QueuedRuns, AreOrderedAndRemovedInTheDialog) {
  const QueueWindow q;
  const std::uint64_t seed = q.w.document().experiment().training.seed;
  for (int i = 0; i < 3; ++i) q.w.trigger("runNewSeed");
  q.button()->click();
  const auto* const dialog = q.w.window->findChild<QueueDialog*>();
  ASSERT_NE(dialog, nullptr);
  auto* const list = dialog->findChild<QListWidget*>("queueList");
  ASSERT_EQ(list->count(), 3);
  list->setCurrentRow(2);
  dialog->findChild<QPushButton*>("queueUp")->click();
  EXPECT_EQ(list->currentRow(), 1) << "the chosen one went there";
  dialog->findChild<QPushButton*>("queueUp")->click();
  list->setCurrentRow(2);
  dialog->findChild<QPushButton*>("queueRemove")->click();
  ASSERT_TRUE(q.ends(3));
  EXPECT_THAT(q.seeds(), ElementsAre(seed, seed + 3, seed + 1));
  EXPECT_EQ(list->count(), 0);
}

TEST(QueuedRuns, ClosingSaysWhatWillNotStartAndStopsAll) {
  const QueueWindow q;
  for (int i = 0; i < 2; ++i) q.w.trigger("run");
  q.w.window->close();
  const auto* const box = q.w.window->findChild<QMessageBox*>("stopBox");
  ASSERT_NE(box, nullptr);
  EXPECT_THAT(box->text().toStdString(), HasSubstr("2 queued runs will not start"));
  q.w.answer("stopBox", "Stop Run and Quit");
  ASSERT_TRUE(waitFor([&] { return !q.w.window->isVisible(); }));
  EXPECT_TRUE(q.queue().isEmpty());
  EXPECT_EQ(q.ended.size(), 1U);
}

TEST(QueuedRuns, WaitForAnIdleMachineByThemselves) {
  const QueueWindow q;
  q.w.trigger("run");
  *q.busy = 2;
  ASSERT_TRUE(waitFor([&] { return q.w.message().find("waits for an idle machine") != std::string::npos; }));
  EXPECT_EQ(q.w.window->findChild<QMessageBox*>("loadBox"), nullptr) << "nobody may be there to answer";
  EXPECT_EQ(q.ended.size(), 1U);
  *q.busy = 0;
  ASSERT_TRUE(q.ends(2));
}

TEST(QueuedRuns, CancelRemovesTheOneThatWaitsForAnIdleMachine) {
  const QueueWindow q;
  const std::uint64_t seed = q.w.document().experiment().training.seed;
  for (int i = 0; i < 2; ++i) q.w.trigger("runNewSeed");
  *q.busy = 2;
  ASSERT_TRUE(waitFor([&] { return q.w.message().find("waits for an idle machine") != std::string::npos; }));
  q.w.trigger("cancel");
  EXPECT_EQ(q.queue().size(), 1);
  *q.busy = 0;
  ASSERT_TRUE(q.ends(2));
  EXPECT_THAT(q.seeds(), ElementsAre(seed, seed + 2));
}

TEST(QueuedRuns, ASettingTurnsTheQuestionOfABusyMachineOff) {
  QueueWindow q;
  ASSERT_TRUE(q.ends(1));
  *q.busy = 2;
  look::Settings().setValue("ask/busy", false);
  q.w.trigger("settings");  // reads it
  q.w.trigger("run");
  ASSERT_TRUE(q.ends(2));
  EXPECT_EQ(q.ended[1]->load, (MachineLoad{2, 2}));
  look::Settings().clear();
}

TEST(QueuedRuns, OfAnExperimentThatWasReplacedOpenItAgain) {
  const QueueWindow q;
  const Experiment before = q.w.document().experiment();
  q.w.trigger("run");
  QueuedRun other = q.queue().runs().front();
  q.queue().clear();
  other.path = q.place.file("elsewhere.json");
  other.experiment.name = "elsewhere";
  q.queue().add(other);
  ASSERT_TRUE(q.ends(2));
  EXPECT_EQ(q.w.document().experiment().name, "elsewhere");
  EXPECT_EQ(q.w.document().path(), "") << "its file may hold another one by now";
}

}  // namespace
}  // namespace lanelab::test
