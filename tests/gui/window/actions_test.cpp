// SPDX-License-Identifier: GPL-3.0-only
// Walks every action: nothing without words, nothing with a key that another has, nothing that is not in a menu.
#include <gtest/gtest.h>

#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QTreeWidget>

#include "tests/gui/window/window_world.h"
#include "ui/help/help_dialogs.h"
#include "ui/settings/settings_store.h"

namespace lanelab {
namespace {

void collect(const QList<QAction*>& actions, QList<QAction*>& all) {
  for (auto* action : actions) {
    if (action->isSeparator()) continue;
    if (action->menu())
      collect(action->menu()->actions(), all);
    else
      all.append(action);
  }
}

QList<QAction*> menuActions(const MainWindow& window) {
  QList<QAction*> all;
  collect(window.menuBar()->actions(), all);
  return all;
}

TEST(Actions, EachHasTextToolTipAndAName) {
  test::WindowWorld w;
  for (const auto* action : menuActions(*w.window)) {
    EXPECT_FALSE(action->text().isEmpty());
    EXPECT_FALSE(action->toolTip().isEmpty()) << action->text().toStdString();
  }
  EXPECT_GT(menuActions(*w.window).size(), 40);
}

TEST(Actions, NoKeyMeansTwoThings) {
  test::WindowWorld w;
  QMap<QString, QString> taken;
  for (const auto* action : menuActions(*w.window))
    for (const auto& key : action->shortcuts()) {
      EXPECT_FALSE(taken.contains(key.toString()))
          << key.toString().toStdString() << ": " << taken[key.toString()].toStdString() << " and "
          << action->text().toStdString();
      taken[key.toString()] = action->text();
    }
}

TEST(Actions, MnemonicsDifferWithinAMenu) {
  test::WindowWorld w;
  for (const auto* top : w.window->menuBar()->actions()) {
    QMap<QChar, QString> taken;
    for (const auto* action : top->menu()->actions()) {
      const auto at = action->text().indexOf('&');
      if (at < 0) continue;
      const QChar letter = action->text()[at + 1].toLower();
      EXPECT_FALSE(taken.contains(letter))
          << top->text().toStdString() << ": " << taken[letter].toStdString() << ", " << action->text().toStdString();
      taken[letter] = action->text();
    }
  }
}

TEST(Actions, TrainingPlanningAndTheListOfRunsHaveMenusOfTheirOwn) {
  test::WindowWorld w;
  const auto holds = [&](const char* menu, const char* action) {
    return w.find<QMenu>(menu)->actions().contains(w.window->action(action));
  };
  for (const char* action : {"run", "runNewSeed", "runSuggestion", "resume", "cancel"})
    EXPECT_TRUE(holds("runMenu", action)) << action;
  for (const char* action : {"adviseSplitSize", "sweepSplitSizes", "cuts", "deviceMap", "whatIf"})
    EXPECT_TRUE(holds("planMenu", action)) << action;
  for (const char* action : {"openRun", "compareRuns", "deleteRun"}) EXPECT_TRUE(holds("runsMenu", action)) << action;
}

TEST(Actions, TheTipOfADisabledActionSaysWhy) {
  test::WindowWorld w;
  for (const char* name : {"cancel", "resume", "runSuggestion", "whatIf", "useStageTimes", "exportReport",
                           "exportTimeline", "findNext", "bookmark", "differences"}) {
    const QAction* const action = w.window->action(name);
    ASSERT_NE(action, nullptr) << name;
    EXPECT_FALSE(action->isEnabled()) << name;
    EXPECT_EQ(action->toolTip().count('\n'), 1) << name << ": " << action->toolTip().toStdString();
  }
  EXPECT_FALSE(w.window->action("run")->toolTip().contains('\n')) << "it is enabled";
}

/// Submenus too: what is in a disabled one cannot be reached either. The only entry of an empty list has no name, and
/// its text says why.
void collectDisabled(const QList<QAction*>& actions, QList<QAction*>& disabled) {
  for (auto* action : actions) {
    if (action->isSeparator() || (!action->menu() && action->objectName().isEmpty())) continue;
    if (!action->isEnabled())
      disabled.append(action);
    else if (action->menu())
      collectDisabled(action->menu()->actions(), disabled);
  }
}

TEST(Actions, EachDisabledOneOfAFirstWindowSaysWhyInASentence) {
  test::WindowWorld w;
  QList<QAction*> disabled;
  collectDisabled(w.window->menuBar()->actions(), disabled);
  EXPECT_GT(disabled.size(), 25);
  for (const QAction* action : disabled) {
    const QStringList lines = action->toolTip().split('\n');
    EXPECT_TRUE(lines.size() == 2 && lines.back().endsWith('.'))
        << action->objectName().toStdString() << ": " << action->toolTip().toStdString();
  }
}

TEST(Actions, AnUndoThatBecomesPossibleSaysWhatItUndoes) {
  test::WindowWorld w;
  const QAction* const undo = w.window->action("undo");
  EXPECT_TRUE(undo->toolTip().endsWith("\nThere is no edit to undo.")) << undo->toolTip().toStdString();
  w.trigger("addLane");
  EXPECT_TRUE(undo->isEnabled());
  EXPECT_FALSE(undo->toolTip().contains('\n')) << undo->toolTip().toStdString();
  w.trigger("undo");
  EXPECT_TRUE(undo->toolTip().contains('\n'));
}

TEST(Actions, ToolBarHoldsNothingThatMenusLack) {
  test::WindowWorld w;
  const auto all = menuActions(*w.window);
  for (auto* action : w.window->findChild<QToolBar*>("mainToolBar")->actions()) {
    const bool control = action->isSeparator() || action->text().isEmpty() || action->menu();
    EXPECT_TRUE(control || all.contains(action)) << action->text().toStdString();
  }
}

TEST(Actions, KeyListNamesEveryKey) {
  test::WindowWorld w;
  QTest::keyClick(w.window.get(), '?');
  auto* dialog = w.find<QDialog>("keysDialog");
  ASSERT_TRUE(dialog && dialog->isVisible());
  const auto* tree = dialog->findChild<QTreeWidget*>();
  for (const auto* action : menuActions(*w.window)) {
    if (action->shortcuts().isEmpty()) continue;
    const auto found = tree->findItems(QString(action->text()).remove('&'), Qt::MatchExactly | Qt::MatchRecursive, 0);
    EXPECT_FALSE(found.isEmpty()) << action->text().toStdString();
  }
  QTest::keyClick(dialog, Qt::Key_Escape);
  EXPECT_FALSE(dialog->isVisible());
}

TEST(Actions, KeyListHasWhatTheWheelDoesNow) {
  test::WindowWorld w;
  const std::pair<const char*, const char*> rows[] = {{"zooms", "wheel"}, {"scrolls", "Ctrl+wheel"}};
  for (const auto& [wheel, key_of_zoom] : rows) {
    QWidget parent;
    SettingsStore store;
    store.set(store.row("mouse/wheel"), wheel);
    showKeysDialog(&parent, *w.window->menuBar(), store.values().wheel);
    const auto zooms =
        parent.findChild<QTreeWidget*>()->findItems("Zoom at the pointer", Qt::MatchExactly | Qt::MatchRecursive, 0);
    ASSERT_EQ(zooms.size(), 1);
    EXPECT_EQ(zooms.first()->text(1), key_of_zoom);
    store.reset(store.row("mouse/wheel"));
  }
}

TEST(Actions, DocksAndToolBarsHaveNamesSoThatTheirPlacesAreKept) {
  test::WindowWorld w;
  for (const auto* bar : w.window->findChildren<QToolBar*>()) EXPECT_FALSE(bar->objectName().isEmpty());
  for (const auto* dock : w.window->findChildren<QDockWidget*>()) EXPECT_FALSE(dock->objectName().isEmpty());
}

}  // namespace
}  // namespace lanelab
