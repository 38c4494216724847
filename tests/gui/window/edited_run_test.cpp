// SPDX-License-Identifier: GPL-3.0-only
// Runs that begin with an edit, as Run with a New Seed does: where nothing is run, nothing is edited.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "tests/support/file_content.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;
using testing::HasSubstr;

FakeBehaviour smallMemory() {
  FakeBehaviour behaviour;
  for (DeviceInfo& device : behaviour.devices) device.memory_bytes = 1 << 20;
  return behaviour;
}

/// The experiment, and whether it can be undone, before and after what must not change them.
struct Edits {
  explicit Edits(const WindowWorld& w)
      : world(w), before(w.window->document().experiment()), index(w.window->document().undoStack()->index()) {}
  void expectNone() const {
    EXPECT_EQ(world.window->document().experiment(), before);
    EXPECT_EQ(world.window->document().undoStack()->index(), index);
  }
  const WindowWorld& world;
  const Experiment before;
  const int index;
};

QMessageBox* memoryBox(const WindowWorld& w) { return w.find<QMessageBox>("memoryBox"); }

TEST(RunWithANewSeed, RaisesTheSeedOfTheExperimentAndRunsIt) {
  const WindowWorld w;
  const std::uint64_t before = w.window->document().experiment().training.seed;
  w.trigger("runNewSeed");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running() && w.record(); }));
  EXPECT_EQ(w.window->document().experiment().training.seed, before + 1);
  EXPECT_EQ(w.record()->experiment, w.window->document().experiment());
  w.trigger("undo");
  EXPECT_EQ(w.window->document().experiment().training.seed, before);
}

TEST(RunWithANewSeed, ChangesNothingIfTheExperimentHasAProblem) {
  const WindowWorld w;
  w.window->document().edit("split", [](Experiment& e) { e.variants[2].split_size = 99; });
  const Edits edits(w);
  w.trigger("runNewSeed");
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_THAT(w.window->messages().sentence().toStdString(), HasSubstr("split_size"));
  edits.expectNone();
}

TEST(RunWithANewSeed, ChangesNothingUntilTheUserChoosesToRunAnyway) {
  const WindowWorld w(smallMemory());
  const Edits edits(w);
  w.trigger("runNewSeed");
  ASSERT_NE(memoryBox(w), nullptr);
  edits.expectNone();
  memoryBox(w)->button(QMessageBox::Cancel)->click();
  EXPECT_FALSE(w.window->controller().running());
  edits.expectNone();
  ASSERT_TRUE(waitFor([&] { return w.window->findChild<QMessageBox*>("memoryBox") == nullptr; }));
  w.trigger("runNewSeed");
  for (QAbstractButton* button : memoryBox(w)->buttons())
    if (memoryBox(w)->buttonRole(button) == QMessageBox::AcceptRole) button->click();
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running() && w.record(); }));
  EXPECT_EQ(w.record()->experiment.training.seed, edits.before.training.seed + 1);
}

TEST(RunWithANewSeed, TakesTheSeedBackIfTheEngineRefusesTheRun) {
  const WindowWorld w;
  test::writeContent(w.place.filePath("runs").toStdString(), "a file in the place of the folder");
  const Edits edits(w);
  w.trigger("runNewSeed");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running(); }));
  EXPECT_FALSE(w.window->messages().sentence().isEmpty());
  edits.expectNone();
}

TEST(RunWithANewSeed, KeepsTheSeedOfARunThatFailed) {
  FakeBehaviour behaviour;
  behaviour.before = [](LaneId, const Action&, int) { throw std::runtime_error("planted"); };
  const WindowWorld w(behaviour);
  const std::uint64_t before = w.window->document().experiment().training.seed;
  w.trigger("runNewSeed");
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running() && w.record(); }));
  EXPECT_EQ(w.record()->status, RunStatus::Failed);
  EXPECT_EQ(w.window->document().experiment().training.seed, before + 1) << "the run of this seed is stored";
}

TEST(RunSuggestedFix, AddsNoVariantIfItIsNotRun) {
  const WindowWorld w(smallMemory());
  const QString folder = w.place.filePath("measured");
  test::writeMeasuredRun(folder.toStdString());
  w.window->openPath(folder);
  ASSERT_TRUE(waitFor([&] { return w.window->action("runSuggestion")->isEnabled(); }));
  w.trigger("runSuggestion");
  ASSERT_NE(memoryBox(w), nullptr);
  memoryBox(w)->button(QMessageBox::Cancel)->click();
  EXPECT_FALSE(w.window->controller().running());
  EXPECT_EQ(w.window->document().experiment().variants.size(), 2u);
}

}  // namespace
}  // namespace lanelab
