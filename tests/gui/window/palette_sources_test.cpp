// SPDX-License-Identifier: GPL-3.0-only
// What the palette of the window finds: every command once, and each kind of thing by its name, which Enter goes to.
#include "ui/window/palette_sources.h"

#include <gtest/gtest.h>

#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QTableView>
#include <QTreeView>

#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/help/help_window.h"
#include "ui/palette/command_palette.h"
#include "ui/palette/palette_model.h"
#include "ui/window/window_help.h"

namespace lanelab {
namespace {

void collectLeaves(const QList<QAction*>& actions, QSet<QAction*>& leaves) {
  for (QAction* action : actions) {
    if (action->menu())
      collectLeaves(action->menu()->actions(), leaves);
    else if (!action->isSeparator() && action->isVisible())
      leaves.insert(action);
  }
}

/// The palette of a window, opened by its key, and what it found first.
class Palette {
 public:
  explicit Palette(test::WindowWorld& w) {
    w.window->activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(w.window.get()));
    QTest::keyClick(w.window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    m_dialog = w.find<CommandPalette>("commandPalette");
  }
  ~Palette() { delete m_dialog.data(); }
  void type(const QString& words) const { field()->setText(words); }
  void enter() const { QTest::keyClick(field(), Qt::Key_Return); }
  QString first(PaletteModel::Column column) const {
    const QAbstractItemModel& model = *m_dialog->findChild<QTreeView*>("commandList")->model();
    return model.rowCount() > 0 ? model.index(0, column).data().toString() : QString();
  }

 private:
  QLineEdit* field() const { return m_dialog->findChild<QLineEdit*>("commandWords"); }
  QPointer<CommandPalette> m_dialog;
};

TEST(PaletteSources, ListEveryCommandOfTheMenusOnce) {
  test::WindowWorld w;
  QSet<QAction*> leaves;
  collectLeaves(w.window->menuBar()->actions(), leaves);
  const QList<Command> commands = commandsOf(*w.window->menuBar());
  EXPECT_EQ(commands.size(), leaves.size());
  for (const Command& command : commands) {
    EXPECT_TRUE(leaves.contains(command.action)) << command.action->text().toStdString();
    EXPECT_TRUE(command.action->isEnabled() || !command.why_not.isEmpty()) << command.action->text().toStdString();
    EXPECT_TRUE(command.why_not.isEmpty() || command.why_not.endsWith('.')) << command.why_not.toStdString();
  }
}

TEST(PaletteSources, EachKindOfThingIsFoundByItsName) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  auto* const runs = w.find<QTableView>("runs");
  ASSERT_TRUE(test::waitFor([&] { return runs->model()->rowCount() == 1; }));
  const struct {
    const char *typed, *title, *kind;
  } cases[] = {{"add lane", "Add Lane", "Command"},     {"idle and gaps", "Idle and Gaps", "Pane"},
               {"block layer3.1", "layer3.1", "Block"}, {"lane cpu:1", "cpu:1", "Lane"},
               {"run small", "small", "Run"},           {"memory as a dial", "Memory as a dial", "Help"},
               {"example small", "Small", "Example"}};
  for (const auto& [typed, title, kind] : cases) {
    Palette palette(w);
    palette.type(typed);
    EXPECT_EQ(palette.first(PaletteModel::Title).toStdString(), title) << typed;
    EXPECT_EQ(palette.first(PaletteModel::Kind).toStdString(), kind) << typed;
  }
}

TEST(PaletteSources, ABlockIsSelectedALaneIsPickedAndAPaneShown) {
  test::WindowWorld w;
  auto* const board = w.find<BoardView>("board");
  const auto go = [&](const char* typed) {
    const Palette palette(w);
    palette.type(typed);
    palette.enter();
  };
  go("block layer3.1");
  const auto chosen = [&] {
    const auto blocks = board->selectedBlocks();
    return blocks.size() == 1 && board->model().blocks[blocks.front().index()].name == "layer3.1";
  };
  EXPECT_TRUE(test::waitFor(chosen));
  EXPECT_EQ(w.window->focusWidget(), board);
  go("pane loss");
  EXPECT_TRUE(test::waitFor([&] { return !w.find<QDockWidget>("lossDock")->visibleRegion().isEmpty(); }));
}

TEST(PaletteSources, ARunIsViewedAndASectionOpened) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(test::waitFor([&] { return w.find<QTableView>("runs")->model()->rowCount() == 1; }));
  {
    const Palette palette(w);
    palette.type("run small");
    palette.enter();
  }
  EXPECT_TRUE(test::waitFor([&] { return w.window->shownRun().isViewed(); }));
  {
    const Palette palette(w);
    palette.type("block layer3.1");
    EXPECT_EQ(palette.first(PaletteModel::Title), "layer3.1");
    palette.enter();  // the board is not shown beside a viewed run, so nothing happens
    palette.type("memory as a dial");
    palette.enter();
  }
  const auto help = [] {
    for (QWidget* widget : QApplication::topLevelWidgets())
      if (auto* const window = qobject_cast<HelpWindow*>(widget)) return window;
    return static_cast<HelpWindow*>(nullptr);
  };
  EXPECT_TRUE(test::waitFor([&] { return help() && help()->isVisible(); }));
  EXPECT_EQ(help()->place(), (HelpPlace{"docs/schedules.md", "memory-as-a-dial"}));
}

TEST(PaletteSources, TheFirstHitForExportIsTheExportOfWhatIsInFront) {
  test::WindowWorld w;
  ASSERT_TRUE(w.runToTheEnd());
  const struct {
    const char *pane, *title;
  } cases[] = {{"lossDock", "Loss..."}, {"compareDock", "Comparison..."}, {"idleDock", "Timeline..."}};
  for (const auto& [pane, title] : cases) {
    w.find<QAction>((std::string("show-") + pane).c_str())->trigger();
    QCoreApplication::processEvents();
    const Palette palette(w);
    palette.type("export");
    EXPECT_EQ(palette.first(PaletteModel::Title).toStdString(), title);
    EXPECT_EQ(palette.first(PaletteModel::Detail), "File > Export");
  }
}

TEST(PaletteSources, EachExportOfAPaneIsACommandAndEachPaneExists) {
  test::WindowWorld w;
  for (const char* pane :
       {"timeline", "idleDock", "detailsDock", "compareDock", "lossDock", "sweepDock", "memoryDock"}) {
    w.find<QWidget>(pane);
    EXPECT_NE(w.window->action(exportOf(pane)), nullptr) << pane;
  }
  EXPECT_TRUE(exportOf("runsDock").isEmpty());
}

}  // namespace
}  // namespace lanelab
