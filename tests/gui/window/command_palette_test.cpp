// SPDX-License-Identifier: GPL-3.0-only
// The palette finds every command of the menus, and Enter runs the chosen one.
#include "ui/window/command_palette.h"

#include <gtest/gtest.h>

#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTreeWidget>

#include "tests/gui/window/window_world.h"

namespace lanelab {
namespace {

struct Open {
  explicit Open(test::WindowWorld& w) {
    QTest::keyClick(w.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    dialog = w.find<CommandPalette>("commandPalette");
  }
  QLineEdit* words() const { return dialog->findChild<QLineEdit*>("commandWords"); }
  QTreeWidget* list() const { return dialog->findChild<QTreeWidget*>("commandList"); }

  CommandPalette* dialog = nullptr;
};

QStringList pathsOf(const QList<Command>& commands) {
  QStringList paths;
  for (const Command& command : commands) paths.append(command.path);
  return paths;
}

void collectLeaves(const QList<QAction*>& actions, QSet<QAction*>& leaves) {
  for (QAction* action : actions) {
    if (action->menu())
      collectLeaves(action->menu()->actions(), leaves);
    else if (!action->isSeparator() && action->isVisible())
      leaves.insert(action);
  }
}

TEST(CommandPalette, ListsEveryCommandOfTheMenusOnce) {
  test::WindowWorld w;
  QSet<QAction*> leaves;
  collectLeaves(w.window->menuBar()->actions(), leaves);
  const QList<Command> commands = commandsOf(*w.window->menuBar());
  EXPECT_EQ(commands.size(), leaves.size());
  for (const Command& command : commands) EXPECT_TRUE(leaves.contains(command.action)) << command.path.toStdString();
}

TEST(CommandPalette, AllWordsCountInAnyCaseAndNamesThatBeginSoComeFirst) {
  QAction open("&Open..."), recent("Open &Recent"), report("Report");
  const QList<Command> commands{
      {&report, "File > Export > Open Report"}, {&recent, "File > Open Recent"}, {&open, "File > Open..."}};
  EXPECT_EQ(pathsOf(matching(commands, "open")),
            QStringList({"File > Open Recent", "File > Open...", "File > Export > Open Report"}));
  EXPECT_EQ(pathsOf(matching(commands, "file REPORT")), QStringList({"File > Export > Open Report"}));
  EXPECT_EQ(matching(commands, "").size(), 3);
  EXPECT_TRUE(matching(commands, "zoom").isEmpty());
}

TEST(CommandPalette, EnterRunsTheChosenCommand) {
  test::WindowWorld w;
  const Open open(w);
  ASSERT_TRUE(open.dialog && open.dialog->isVisible());
  QTest::keyClicks(open.words(), "add lane");
  ASSERT_EQ(open.list()->topLevelItemCount(), 1);
  const auto lanes = [&] { return w.window->document().experiment().lanes.size(); };
  const auto before = lanes();
  QTest::keyClick(open.words(), Qt::Key_Return);
  EXPECT_TRUE(QTest::qWaitFor([&] { return lanes() == before + 1; }, 2000));
}

TEST(CommandPalette, ArrowsWalkWhileTyping) {
  test::WindowWorld w;
  const Open open(w);
  ASSERT_TRUE(open.dialog);
  EXPECT_EQ(open.list()->currentIndex().row(), 0);
  QTest::keyClick(open.words(), Qt::Key_Down);
  EXPECT_EQ(open.list()->currentIndex().row(), 1);
  QTest::keyClick(open.words(), Qt::Key_Escape);
  EXPECT_FALSE(open.dialog->isVisible());
}

TEST(CommandPalette, ACommandThatIsNotPossibleIsNotRun) {
  test::WindowWorld w;
  const Open open(w);
  ASSERT_TRUE(open.dialog);
  QTest::keyClicks(open.words(), "undo");
  ASSERT_GE(open.list()->topLevelItemCount(), 1);
  QTest::keyClick(open.words(), Qt::Key_Return);
  EXPECT_TRUE(open.dialog->isVisible());
}

}  // namespace
}  // namespace lanelab
