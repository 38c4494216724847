// SPDX-License-Identifier: GPL-3.0-only
// A window over the fake executor, in a place of its own; waits that end.
#pragma once

#include <gtest/gtest.h>

#include <QAction>
#include <QDragEnterEvent>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <memory>

#include "tests/gui/wait_for.h"
#include "tests/support/fake_executor.h"
#include "ui/first_steps/recorded_runs.h"
#include "ui/window/main_window.h"

namespace lanelab::test {

/// ResNet-18 small enough for a fake: three variants, two lanes.
inline Experiment smallExperiment() {
  Experiment experiment = blankExperiment(FakeBehaviour().devices);
  experiment.name = "small";
  experiment.repeats = 5;
  experiment.warmup = 1;
  VariantConfig parallel;
  parallel.name = "Model parallel";
  parallel.strategy = Strategy::ModelParallel;
  parallel.cuts = std::vector<std::string>{"layer3.0"};
  experiment.variants.insert(experiment.variants.begin() + 1, parallel);
  experiment.variants[2].cuts = std::vector<std::string>{"layer3.0"};
  return experiment;
}

class WindowWorld {
 public:
  explicit WindowWorld(FakeBehaviour behaviour = {},
                       std::vector<MainWindow::Example> examples = {{"Small", smallExperiment()}},
                       EqualityCheck check = {}, LlamaInference infer = {}, MeasureLoad measure_load = {},
                       std::shared_ptr<RecordedRuns> recorded = {})
      : executor(makeFakeExecutor(std::move(behaviour))),
        window(std::make_unique<MainWindow>(MainWindow::Setup{executor,
                                                              {place.filePath("runs").toStdString(), {}, false},
                                                              std::move(examples),
                                                              std::move(check),
                                                              {},
                                                              std::move(infer),
                                                              std::move(measure_load),
                                                              std::move(recorded)})) {
    window->setWindowState(Qt::WindowNoState);  // the screen of tests is small, and the window would fill it
    window->resize(1440, 900);
    window->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
  }

  template <class T>
  T* find(const char* name) const {
    T* found = window->findChild<T*>(name);
    EXPECT_NE(found, nullptr) << name;
    return found;
  }
  void trigger(const char* action) const {
    ASSERT_NE(window->action(action), nullptr) << action;
    ASSERT_TRUE(window->action(action)->isEnabled()) << action;
    window->action(action)->trigger();
  }
  bool runToTheEnd() const {
    trigger("run");
    return waitFor([&] { return !window->controller().running(); });
  }
  const RunRecord* record() const { return window->shownRun().record().get(); }

  QTemporaryDir place;
  std::shared_ptr<Executor> executor;
  std::unique_ptr<MainWindow> window;
};

/// Each action takes this long, so that a run can be watched and cancelled.
inline FakeBehaviour slow(std::chrono::microseconds action) {
  FakeBehaviour behaviour;
  behaviour.busy_ns = [action](const Action&) { return std::chrono::nanoseconds(action).count(); };
  return behaviour;
}

}  // namespace lanelab::test
