// SPDX-License-Identifier: GPL-3.0-only
// Build a Schedule by mouse and by keys: what can run is placed, what cannot says why, and what was built has a name.
#include "ui/levels/level_pane.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "tests/unit/levels/built_order.h"
#include "ui/levels/level_progress.h"
#include "ui/levels/level_view.h"
#include "ui/look/elided_label.h"
#include "ui/look/settings.h"

namespace lanelab {
namespace {

const std::vector<std::string> kGpipe = {"0F0", "0F1", "1F0", "1F1", "1B0", "1B1", "0B0", "0B1"};
const std::vector<std::string> kOwn = {"0F0", "1F0", "1B0", "0B0", "0F1", "1F1", "1B1", "0B1"};

std::size_t placeOf(std::string_view key) { return static_cast<std::size_t>(&test::levelOf(key) - &levels().front()); }

struct LevelWorld {
  explicit LevelWorld(std::string_view level = "gpipe") {
    look::Settings().remove("levels");
    pane = std::make_unique<LevelPane>(std::vector<DeviceInfo>{{Device::cpu(0), "core"}, {Device::cpu(1), "core"}});
    pane->resize(900, 420);
    pane->show();
    pane->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(pane.get(), 5000));
    pane->showLevel(placeOf(level));
    view().setFocus();
  }
  LevelView& view() const { return *pane->findChild<LevelView*>("levelView"); }
  QString sentence() const { return pane->findChild<ElidedLabel*>("levelSentence")->text(); }
  QString headline() const { return pane->findChild<ElidedLabel*>("levelHeadline")->text(); }
  QPushButton& button(const char* name) const { return *pane->findChild<QPushButton*>(name); }
  QString choice() const { return pane->findChild<QComboBox*>("levelChoice")->currentText(); }
  std::string rows() const { return toCsv(pane->board().schedule()); }

  QPoint chip(std::string_view action) const {
    const auto rect = view().chipRect(test::action(action));
    EXPECT_TRUE(rect.has_value()) << action << " has no place in the tray";
    return rect ? rect->center() : QPoint();
  }
  void click(std::string_view action) const { QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, chip(action)); }
  void clickAll(const std::vector<std::string>& actions) const {
    for (const std::string& action : actions) click(action);
  }
  void move(QPoint to, Qt::MouseButtons buttons = Qt::NoButton) const {
    QMouseEvent event(QEvent::MouseMove, to, view().viewport()->mapToGlobal(to), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(view().viewport(), &event);
  }
  void drag(std::string_view action, QPoint to) const {
    QTest::mousePress(view().viewport(), Qt::LeftButton, {}, chip(action));
    move(to, Qt::LeftButton);
    QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, to);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const { QTest::keyClick(&view(), key, modifiers); }
  /// By arrows to the lane and the action, then Enter.
  void placeByKeys(const Action& action) const {
    const int lane = pane->board().laneOf(action).value;
    for (int tries = 0; tries < 8 && view().lane().value != lane; ++tries)
      key(view().lane().value < lane ? Qt::Key_Down : Qt::Key_Up);
    for (int tries = 0; tries < 20; ++tries) key(Qt::Key_Left);
    for (int tries = 0; tries < 20 && view().pointed() != action; ++tries) key(Qt::Key_Right);
    EXPECT_EQ(view().pointed(), action) << toString(action);
    key(Qt::Key_Return);
  }

  std::unique_ptr<LevelPane> pane;
};

TEST(LevelPane, TheFirstLevelIsSolvedByMouse) {
  LevelWorld world;
  EXPECT_EQ(world.headline(), "Par 9");
  world.clickAll(kGpipe);
  EXPECT_EQ(world.rows(), "0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n");
  EXPECT_EQ(world.sentence(), "You built GPipe: 9 units, par reached.");
  EXPECT_EQ(world.choice(), "1. GPipe: par reached");
  EXPECT_EQ(world.headline(), "Step 9, par 9, idle 33.3 %");
  EXPECT_EQ(LevelProgress().best(test::levelOf("gpipe")), 9);
}

TEST(LevelPane, AnotherLevelIsSolvedByKeysAlone) {
  LevelWorld world("zb-h1");
  const LevelBoard target =
      test::built(test::levelOf("zb-h1"), test::orderOf(knownOrders(test::levelOf("zb-h1")), "ZB-H1").schedule);
  for (const PlacedAction& placed : target.placed()) world.placeByKeys(placed.action);
  EXPECT_EQ(world.rows(), toCsv(target.schedule()));
  EXPECT_EQ(world.sentence(), "You built ZB-H1: 14 units, par reached.");
}

TEST(LevelPane, AnIllegalMoveSaysWhyAndChangesNothing) {
  LevelWorld world;
  world.click("1F0");
  EXPECT_EQ(world.sentence(), "1F0 on lane 1 waits for 0F0 of lane 0, which is not placed yet.");
  EXPECT_EQ(world.view().accessibleDescription(), world.sentence()) << "screen readers hear it";
  EXPECT_FALSE(world.pane->board().canUndo());
  world.drag("0F0", world.view().laneRect(LaneId(1)).center());
  EXPECT_EQ(world.sentence(), "0F0 cannot be on lane 1: stage 0 is on lane 0.");
  EXPECT_FALSE(world.pane->board().canUndo());
}

TEST(LevelPane, AboveTheMemoryLimitNothingIsPlaced) {
  LevelWorld world("1f1b");
  EXPECT_EQ(world.headline(), "Par 21, at most 3 stored per lane");
  world.clickAll({"0F0", "0F1", "0F2", "0F3"});
  EXPECT_EQ(world.sentence(),
            "With 0F3 lane 0 would store 4 activations, and its limit is 3: place what ends a backward first.");
  EXPECT_EQ(world.rows(), "0F0,0F1,0F2\n\n\n");
}

TEST(LevelPane, AnActionIsDraggedFromTheTrayToItsLane) {
  LevelWorld world;
  world.drag("0F0", world.view().laneRect(LaneId(0)).center());
  EXPECT_EQ(world.rows(), "0F0\n\n");
  world.drag("0F1", QPoint(world.view().viewport()->width() - 1, world.view().viewport()->height() - 1));
  EXPECT_EQ(world.rows(), "0F0\n\n") << "dropped on no lane";
}

TEST(LevelPane, TheActionUnderThePointerIsDrawnWhereItWouldBe) {
  LevelWorld world;
  world.clickAll({"0F0", "1F0"});
  world.move(world.chip("1B0"));
  EXPECT_EQ(world.sentence(), "1B0 starts at 2: the step takes at least 9, par is 9.");
  const PlacedAction there{LaneId(1), test::action("1B0"), 2, 4};
  ASSERT_TRUE(world.view().ghostRect().has_value());
  EXPECT_EQ(*world.view().ghostRect(), world.view().cellRect(there));
  world.move(world.chip("0B0"));
  EXPECT_FALSE(world.view().ghostRect().has_value()) << "it cannot start yet";
  world.move(world.chip("1B0"));
  world.click("1B0");
  world.move(world.chip("0B0"));
  EXPECT_EQ(world.sentence(), "0B0 starts at 4: the step takes at least 12, par is 9.");
}

TEST(LevelPane, AClickOnTheGhostPlacesIt) {
  LevelWorld world;
  ASSERT_EQ(world.view().pointed(), test::action("0F0"));
  QTest::mouseClick(world.view().viewport(), Qt::LeftButton, {}, world.view().ghostRect()->center());
  EXPECT_EQ(world.rows(), "0F0\n\n");
  QTest::mouseClick(world.view().viewport(), Qt::LeftButton, {}, world.view().laneRect(LaneId(1)).center());
  EXPECT_EQ(world.view().lane(), LaneId(1));
  EXPECT_EQ(world.view().pointed(), test::action("1F0"));
}

TEST(LevelPane, MovesAreTakenBackAndPlacedAgain) {
  LevelWorld world;
  world.clickAll({"0F0", "0F1"});
  world.key(Qt::Key_Backspace);
  EXPECT_EQ(world.rows(), "0F0\n\n");
  EXPECT_EQ(world.view().pointed(), test::action("0F1")) << "what was taken back is selected";
  world.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(world.rows(), "\n\n");
  world.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  world.key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(world.rows(), "0F0,0F1\n\n");
  world.pane->findChild<QToolButton*>("levelClear")->click();
  EXPECT_EQ(world.rows(), "\n\n");
  EXPECT_TRUE(world.pane->findChild<QToolButton*>("levelRedo")->isEnabled());
}

TEST(LevelPane, AnOrderOfItsOwnIsComparedAndRemembered) {
  LevelWorld world;
  world.clickAll(kOwn);
  EXPECT_EQ(world.sentence(), "An order of your own: 12 units, 3 above par; 1F1B has 9.");
  EXPECT_EQ(world.choice(), "1. GPipe: 3 above par");
  world.pane->findChild<QToolButton*>("levelClear")->click();
  world.clickAll(kGpipe);
  EXPECT_EQ(world.choice(), "1. GPipe: par reached");
  world.pane->findChild<QToolButton*>("levelClear")->click();
  world.clickAll(kOwn);
  EXPECT_EQ(world.choice(), "1. GPipe: par reached") << "the best one is remembered";
}

TEST(LevelPane, LevelsAreChosenFreelyAndRetainWhatIsPlaced) {
  LevelWorld world;
  world.click("0F0");
  EXPECT_TRUE(world.button("levelNext").isEnabled());
  world.button("levelNext").click();
  EXPECT_EQ(world.choice(), "2. GPipe on Four Lanes");
  EXPECT_EQ(world.rows(), "\n\n\n\n");
  world.pane->showLevel(7);
  EXPECT_FALSE(world.button("levelNext").isEnabled());
  world.pane->showLevel(0);
  EXPECT_EQ(world.rows(), "0F0\n\n");
}

TEST(LevelPane, HintsComeOneAfterTheOther) {
  LevelWorld world;
  world.button("levelHint").click();
  const QString first = world.sentence();
  EXPECT_TRUE(first.startsWith("Lane 0 does both forwards")) << first.toStdString();
  world.button("levelHint").click();
  EXPECT_NE(world.sentence(), first);
  world.button("levelHint").click();
  EXPECT_EQ(world.sentence(), first);
}

TEST(LevelPane, AFinishedOrderIsTrainedBesideAKnownOne) {
  LevelWorld world;
  EXPECT_FALSE(world.button("levelRun").isEnabled());
  EXPECT_EQ(world.button("levelRun").toolTip(), "Place all actions first, then train the order.");
  world.clickAll(kOwn);
  std::vector<Experiment> asked;
  QObject::connect(world.pane.get(), &LevelPane::runRequested, world.pane.get(),
                   [&](const Experiment& experiment) { asked.push_back(experiment); });
  world.pane->setRunning(true);
  EXPECT_FALSE(world.button("levelRun").isEnabled());
  world.pane->setRunning(false);
  world.button("levelRun").click();
  ASSERT_EQ(asked.size(), 1u);
  ASSERT_EQ(asked[0].variants.size(), 2u);
  EXPECT_EQ(asked[0].variants[0].name, "1F1B");
  EXPECT_EQ(asked[0].variants[1].actions, (std::vector<std::string>{"0F0,0B0,0F1,0B1", "1F0,1B0,1F1,1B1"}));
  EXPECT_EQ(world.sentence(),
            "Train this order beside 1F1B. Its 2 lanes are CPU cores, since this machine has fewer GPUs than that.");
}

TEST(LevelPane, EscAsksToClose) {
  LevelWorld world;
  const QSignalSpy closed(world.pane.get(), &LevelPane::closeRequested);
  world.key(Qt::Key_Escape);
  EXPECT_EQ(closed.count(), 1);
}

TEST(LevelPane, APaneThatGrowsNeedsNoScrollBarAnyMore) {
  LevelWorld world("gpipe-4");
  for (const QSize size : {QSize(400, 120), QSize(1260, 560)}) {
    world.pane->resize(size);
    QApplication::processEvents();
    EXPECT_EQ(world.view().verticalScrollBar()->isVisible(), size.height() < 200) << size.height();
    EXPECT_EQ(world.view().horizontalScrollBar()->isVisible(), size.width() < 700) << size.width();
  }
}

/// The bottom pane in a window of 1280x720.
TEST(LevelPane, EachLevelFitsALowPane) {
  LevelWorld world;
  world.pane->resize(720, 205);
  for (std::size_t level = 0; level < levels().size(); ++level) {
    world.pane->showLevel(level);
    QApplication::processEvents();
    EXPECT_EQ(world.view().verticalScrollBar()->maximum(), 0) << levels()[level].key;
    const QRect seen = world.view().viewport()->rect();
    for (const Action& action : world.pane->board().actionsOf(LaneId(0)))
      EXPECT_TRUE(seen.contains(*world.view().chipRect(action))) << levels()[level].key << " " << toString(action);
  }
}

}  // namespace
}  // namespace lanelab
