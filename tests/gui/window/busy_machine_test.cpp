// SPDX-License-Identifier: GPL-3.0-only
// What the window asks before a run while other programs use the cores.
#include <gmock/gmock.h>

#include <QMessageBox>
#include <QPushButton>
#include <atomic>

#include "tests/gui/window/window_world.h"
#include "ui/look/message_strip.h"
#include "ui/run/run_controller.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;
using ::testing::HasSubstr;

/// A window on a machine of two cores, of which other programs use `busy`.
struct BusyWorld {
  std::shared_ptr<std::atomic<double>> busy = std::make_shared<std::atomic<double>>(2);
  WindowWorld world{{}, {{"Small", test::smallExperiment()}}, {}, {}, [busy = busy] {
                      return std::optional(MachineLoad{busy->load(), 2});
                    }};

  QMessageBox* box() const { return world.window->findChild<QMessageBox*>("loadBox"); }
  bool asks() const {
    world.trigger("run");
    return waitFor([this] { return box() != nullptr; });
  }
  void answer(const QString& text) const {
    for (QAbstractButton* button : box()->buttons())
      if (button->text().remove('&') == text) return button->click();
    FAIL() << text.toStdString();
  }
  bool runs() const {
    return waitFor([this] { return !world.window->controller().running() && world.record() != nullptr; });
  }
  std::string sentence() const { return world.window->messages().sentence().toStdString(); }
};

TEST(BusyMachine, AnIdleMachineIsNotAskedAbout) {
  BusyWorld w;
  *w.busy = 0.1;
  w.world.trigger("run");
  ASSERT_TRUE(w.runs());
  EXPECT_EQ(w.box(), nullptr);
  ASSERT_TRUE(w.world.record()->load);
  EXPECT_EQ(w.world.record()->load->busy_cores, 0.1);
}

TEST(BusyMachine, CancelRunsNothing) {
  const BusyWorld w;
  ASSERT_TRUE(w.asks());
  EXPECT_THAT(w.box()->text().toStdString(), HasSubstr("other programs used 2.00 of 2 cores"));
  w.box()->button(QMessageBox::Cancel)->click();
  EXPECT_FALSE(w.world.window->controller().running());
  EXPECT_EQ(w.world.record(), nullptr);
}

TEST(BusyMachine, RunAnywayStoresTheLoad) {
  const BusyWorld w;
  ASSERT_TRUE(w.asks());
  w.answer("Run Anyway");
  ASSERT_TRUE(w.runs());
  EXPECT_EQ(w.world.record()->load, (MachineLoad{2, 2}));
}

TEST(BusyMachine, RunWhenIdleWaitsForTheOtherPrograms) {
  const BusyWorld w;
  ASSERT_TRUE(w.asks());
  w.answer("Run When Idle");
  ASSERT_TRUE(waitFor([&] { return w.sentence().find("waits for an idle machine") != std::string::npos; }));
  EXPECT_FALSE(w.world.window->controller().running());
  *w.busy = 0;
  ASSERT_TRUE(w.runs());
  EXPECT_EQ(w.world.record()->load, (MachineLoad{0, 2}));
}

TEST(BusyMachine, TheWaitCanBeCancelled) {
  const BusyWorld w;
  ASSERT_TRUE(w.asks());
  w.answer("Run When Idle");
  ASSERT_TRUE(waitFor([&] { return !w.sentence().empty(); }));
  w.world.trigger("cancel");
  EXPECT_EQ(w.sentence(), "");
  EXPECT_FALSE(w.world.window->action("cancel")->isEnabled());
  *w.busy = 0;
  EXPECT_FALSE(w.world.window->controller().running());
}

}  // namespace
}  // namespace lanelab
