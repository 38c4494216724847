// SPDX-License-Identifier: GPL-3.0-only
// The seam between the engine's threads and the window.
#include <gtest/gtest.h>

#include <QFile>
#include <QRegularExpression>
#include <atomic>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>

#include "engine/record/run_store.h"
#include "tests/gui/window/window_world.h"
#include "ui/look/work_bar.h"
#include "ui/run/run_controller.h"

namespace lanelab {
namespace {

using test::slow;
using test::smallExperiment;
using test::waitFor;

struct Controlled {
  explicit Controlled(FakeBehaviour behaviour = {}) : controller(makeFakeExecutor(std::move(behaviour)), place.path()) {
    QObject::connect(&controller, &RunController::progressed, [this](const RunProgress& p) { progress.push_back(p); });
    QObject::connect(&controller, &RunController::traceGrew,
                     [this](std::shared_ptr<const Trace> t, const QString& unit) {
                       traces.push_back(std::move(t));
                       units.append(unit);
                     });
    QObject::connect(&controller, &RunController::finished,
                     [this](std::shared_ptr<const RunRecord> r, const QString& f) {
                       record = std::move(r);
                       folder = f;
                     });
    QObject::connect(&controller, &RunController::refused, [this](const QString& sentence) { refusal = sentence; });
  }
  bool ends() {
    return waitFor([this] { return !controller.running(); });
  }

  QTemporaryDir place;
  RunController controller;
  std::vector<RunProgress> progress;
  std::vector<std::shared_ptr<const Trace>> traces;
  QStringList units;  ///< of the traces
  std::shared_ptr<const RunRecord> record;
  QString folder;
  QString refusal;
};

TEST(RunController, TellsPhasesAndTracesAndKeepsTheRun) {
  Controlled c(slow(std::chrono::microseconds(300)));
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  EXPECT_TRUE(c.controller.running());
  EXPECT_FALSE(c.controller.start(resolve(smallExperiment()))) << "one run at a time";
  ASSERT_TRUE(c.ends());
  ASSERT_TRUE(c.record) << c.refusal.toStdString();
  EXPECT_EQ(c.record->status, RunStatus::Done);
  ASSERT_FALSE(c.progress.empty());
  EXPECT_EQ(c.progress.back().unit, c.progress.back().units);
  EXPECT_EQ(c.progress.back().units, 3 * (5 + 1));
  EXPECT_GT(c.progress.back().samples_per_second, 0);
  EXPECT_EQ(c.progress.back().losses.size(), 3U);
  EXPECT_EQ(c.progress.back().work().share(), 1);
  for (std::size_t i = 1; i < c.progress.size(); ++i)
    EXPECT_GE(c.progress[i].work().share(), c.progress[i - 1].work().share()) << i;
  ASSERT_FALSE(c.traces.empty());
  EXPECT_TRUE(readRun(c.folder.toStdString()).ok());
}

TEST(RunController, TraceFilesLieInTheRunFolder) {
  Controlled c;
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(c.ends());
  for (const char* variant : {"Single", "Model parallel", "Pipeline"})
    EXPECT_TRUE(QFile::exists(QString::fromStdString(tracePathOf(c.folder.toStdString(), variant)))) << variant;
}

TEST(RunController, PhaseNamesWarmUpAndRepeat) {
  Controlled c(slow(std::chrono::microseconds(2500)));
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(c.ends());
  QStringList phases;
  for (const auto& p : c.progress) phases.append(p.phase);
  EXPECT_FALSE(phases.filter("warm-up of ").isEmpty()) << phases.join("\n").toStdString();
  EXPECT_FALSE(phases.filter(QRegularExpression("repeat \\d of 5, ")).isEmpty()) << phases.join("\n").toStdString();
}

TEST(RunController, ATraceIsToldWithItsOwnRepeat) {
  Controlled c(slow(std::chrono::microseconds(1000)));
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(c.ends());
  ASSERT_FALSE(c.units.isEmpty());
  const QRegularExpression one("^(warm-up|repeat [1-5] of 5)$");
  for (const QString& unit : c.units) EXPECT_TRUE(one.match(unit).hasMatch()) << unit.toStdString();
}

TEST(RunController, AnActionInProgressIsSeenAndGrowsUntilItEnds) {
  std::atomic<bool> hold{true};
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId lane, const Action& action, int) {
    const bool held = lane.value == 0 && action.kind == ActionKind::Forward;
    while (held && hold) std::this_thread::yield();
  };
  Controlled c(behaviour);
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  const auto end = [&] {
    const auto& trace = c.traces.empty() ? nullptr : c.traces.back();
    return trace && trace->spanCount() > 0 ? trace->range().end : 0;
  };
  ASSERT_TRUE(waitFor([&] { return end() > 0; })) << "nothing has ended, and yet there is something to see";
  const Nanoseconds first = end();
  EXPECT_TRUE(waitFor([&] { return end() > first; }));
  EXPECT_TRUE(c.traces.back()->liveLane(0)->running.has_value());
  hold = false;
  ASSERT_TRUE(c.ends());
  EXPECT_TRUE(c.traces.back()->live.empty()) << "of the run that ended all is decided";
}

TEST(RunController, CancelEndsTheRunAndKeepsIt) {
  Controlled c(slow(std::chrono::milliseconds(2)));
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(waitFor([&] { return !c.traces.empty(); }));
  c.controller.cancel();
  ASSERT_TRUE(c.ends());
  ASSERT_TRUE(c.record);
  EXPECT_EQ(c.record->status, RunStatus::Cancelled);
  EXPECT_EQ(readRun(c.folder.toStdString())->status, RunStatus::Cancelled);
}

TEST(RunController, CancelWaitsForNoMoreThanTheActionsAtHand) {
  std::atomic<int> actions{0};
  std::atomic<bool> cancelled{false};
  std::atomic<int> after{0};
  FakeBehaviour behaviour = slow(std::chrono::milliseconds(5));
  behaviour.before = [&](LaneId, const Action&, int) {
    ++actions;
    if (cancelled) ++after;
  };
  Controlled c(behaviour);
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(waitFor([&] { return actions > 10; }));
  c.controller.cancel();
  cancelled = true;
  ASSERT_TRUE(c.ends());
  EXPECT_LE(after, 2) << "at most one action a lane may begin while the request travels";
}

TEST(RunController, FailureKeepsWhatWasMeasuredAndTheNextRunWorks) {
  std::atomic<bool> fail{true};
  std::atomic<int> actions{0};
  FakeBehaviour behaviour;
  behaviour.before = [&](LaneId, const Action&, int) {
    if (fail && ++actions == 40) throw std::runtime_error("out of memory");
  };
  Controlled c(behaviour);
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(c.ends());
  ASSERT_TRUE(c.record) << c.refusal.toStdString();
  EXPECT_EQ(c.record->status, RunStatus::Failed);
  EXPECT_NE(c.record->error.find("out of memory"), std::string::npos) << c.record->error;
  fail = false;
  ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
  ASSERT_TRUE(c.ends());
  EXPECT_EQ(c.record->status, RunStatus::Done);
}

TEST(RunController, MissingDeviceIsRefusedInASentence) {
  Controlled c;
  auto experiment = smallExperiment();
  experiment.lanes[1].device = Device::cuda(7);
  ASSERT_TRUE(c.controller.start(resolve(experiment)));
  ASSERT_TRUE(c.ends());
  EXPECT_FALSE(c.record);
  EXPECT_TRUE(c.refusal.contains("cuda:7")) << c.refusal.toStdString();
}

TEST(RunController, GoingAwayCancelsAndWaits) {
  std::atomic<int> actions{0};
  const auto used = std::make_shared<int>();  // by every lane that can still begin an action
  {
    FakeBehaviour behaviour = slow(std::chrono::milliseconds(2));
    behaviour.before = [&actions, used](LaneId, const Action&, int) { ++actions; };
    Controlled c(std::move(behaviour));
    ASSERT_TRUE(c.controller.start(resolve(smallExperiment())));
    ASSERT_TRUE(waitFor([&] { return actions > 2; }));
  }
  EXPECT_EQ(used.use_count(), 1) << "the executor and its lanes are gone";
  EXPECT_LT(actions, 3 * (5 + 1) * 2) << "not even one action per step of the whole run";
}

TEST(WordsForTimeLeft, RoundsAsAPersonWould) {
  const std::pair<double, QString> table[] = {{-1, ""},
                                              {std::nan(""), ""},
                                              {2, "a few seconds left"},
                                              {38, "about 40 seconds left"},
                                              {63, "about 1 minute left"},
                                              {125, "about 2 minutes left"},
                                              {3500, "about 58 minutes left"},
                                              {3700, "about 1 hour left"},
                                              {2.4 * 3600, "about 2.5 hours left"}};
  for (const auto& [seconds, words] : table)
    EXPECT_EQ(wordsForTimeLeft(seconds).toStdString(), words.toStdString()) << seconds;
}

}  // namespace
}  // namespace lanelab
