// SPDX-License-Identifier: GPL-3.0-only
// Build a Schedule in the window: from the menu and the pane, back again, and to a run of what was built.
#include <QDockWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QToolButton>

#include "engine/levels/level_run.h"
#include "tests/gui/window/window_world.h"
#include "tests/unit/levels/built_order.h"
#include "ui/levels/level_pane.h"
#include "ui/levels/level_view.h"
#include "ui/levels/schedule_stack.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

struct LevelsWindow : WindowWorld {
  ScheduleStack& stack() const { return *window->findChild<ScheduleStack*>(); }
  LevelView& view() const { return *find<LevelView>("levelView"); }
  void build() const {
    trigger("buildSchedule");
    ASSERT_TRUE(waitFor([&] { return stack().isVisible() && view().hasFocus(); }));
  }
  /// The first level.
  void solve() const {
    for (const char* move : {"0F0", "0F1", "1F0", "1F1", "1B0", "1B1", "0B0", "0B1"}) {
      view().select(test::action(move));
      QTest::keyClick(&view(), Qt::Key_Return);
    }
    ASSERT_TRUE(stack().levels().board().isComplete());
  }
};

TEST(LevelsWindow, MenuAndButtonOpenTheLevelsAndEscGoesBackToTheScheduleAsItWas) {
  LevelsWindow w;
  const Experiment before = w.window->document().experiment();
  w.build();
  EXPECT_TRUE(w.stack().isBuilding());
  QTest::keyClick(&w.view(), Qt::Key_Return);
  QTest::keyClick(&w.view(), Qt::Key_Z, Qt::ControlModifier);
  QTest::keyClick(&w.view(), Qt::Key_Escape);
  EXPECT_FALSE(w.stack().isBuilding());
  EXPECT_EQ(w.window->document().experiment(), before);
  w.find<QPushButton>("scheduleBuild")->click();
  EXPECT_TRUE(w.stack().isBuilding());
  w.find<QToolButton>("levelClose")->click();
  EXPECT_FALSE(w.stack().isBuilding());
}

TEST(LevelsWindow, AFinishedOrderRunsBesideAKnownScheduleAndIsWatched) {
  LevelsWindow w;
  w.build();
  w.solve();
  w.find<QPushButton>("levelRun")->click();
  const Experiment& experiment = w.window->document().experiment();
  EXPECT_EQ(experiment.name, "build-gpipe");
  ASSERT_EQ(experiment.variants.size(), 2u);
  EXPECT_EQ(experiment.variants[0].name, "1F1B");
  EXPECT_EQ(w.window->document().activeVariantName(), kOwnOrder);
  ASSERT_TRUE(waitFor([&] { return !w.window->controller().running() && w.record(); }));
  EXPECT_EQ(w.record()->status, RunStatus::Done) << w.record()->error;
  EXPECT_NE(w.record()->find(kOwnOrder), nullptr);
  EXPECT_TRUE(waitFor([&] { return w.window->shownRun().trace(kOwnOrder) != nullptr; })) << "the timeline shows it";
  EXPECT_TRUE(w.stack().isBuilding()) << "the level remains, for the next one";
}

TEST(LevelsWindow, UnsavedEditsAreAskedAboutBeforeTheRunTakesTheirPlace) {
  LevelsWindow w;
  w.window->document().edit("seed", [](Experiment& experiment) { experiment.training.seed = 7; });
  const Experiment before = w.window->document().experiment();
  w.build();
  w.solve();
  w.find<QPushButton>("levelRun")->click();
  auto* box = w.find<QMessageBox>("unsavedBox");
  ASSERT_NE(box, nullptr);
  box->button(QMessageBox::Cancel)->click();
  EXPECT_TRUE(waitFor([&] { return !w.window->findChild<QMessageBox*>("unsavedBox"); }));
  EXPECT_EQ(w.window->document().experiment(), before);
  EXPECT_FALSE(w.window->controller().running());
}

}  // namespace
}  // namespace lanelab
