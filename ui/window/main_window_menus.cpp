// SPDX-License-Identifier: GPL-3.0-only
#include <QApplication>
#include <QMenu>
#include <QMenuBar>

#include "ui/board/board_view.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/measured_edits.h"
#include "ui/help/help_dialogs.h"
#include "ui/history/runs_list.h"
#include "ui/levels/schedule_stack.h"
#include "ui/look/icons.h"
#include "ui/palette/command_palette.h"
#include "ui/queue/run_queue.h"
#include "ui/settings/key_map.h"
#include "ui/settings/settings_store.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/watch/what_if_replay.h"
#include "ui/window/action_set.h"
#include "ui/window/board_dialogs.h"
#include "ui/window/command_copies.h"
#include "ui/window/experiment_saver.h"
#include "ui/window/exports.h"
#include "ui/window/main_window.h"
#include "ui/window/palette_sources.h"
#include "ui/window/pane_layout.h"
#include "ui/window/plan_exports.h"
#include "ui/window/run_starter.h"
#include "ui/window/timeline_actions.h"
#include "ui/window/viewed_run_bar.h"
#include "ui/window/window_help.h"

namespace lanelab {

void MainWindow::makeMenus() {
  m_actions = new ActionSet(this);
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeRunMenu();
  makePlanMenu();
  makeRunsMenu();
  makeHelpMenu();
  m_keys = new KeyMap(*menuBar(), {m_timeline, m_board}, m_settings, this);
}

void MainWindow::makeFileMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&File"), "fileMenu");
  m_file_opener->addActions(menu, *m_actions, m_setup.examples);
  m_actions->add(menu, "importModel", tr("&Import Model..."),
                 tr("Export a network of PyTorch as a .pt2 file and use it as the model of the experiment"), {}, {},
                 [this] { m_dialogs->showImport(); });
  menu->addSeparator();
  m_saver->addActions(menu, *m_actions);
  m_exports->addMenu(menu, *m_actions);
  m_plans->addExports(findChild<QMenu*>("exportMenu"), *m_actions);
  menu->addSeparator();
  m_actions->add(menu, "quit", tr("&Quit"), tr("Close the window"), QKeySequence("Ctrl+Q"), {}, [this] { close(); });
}

void MainWindow::makeEditMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&Edit"), "editMenu");
  const auto add = [&](QAction* action, const QString& name, const QKeySequence& key) {
    action->setObjectName(name);
    action->setShortcut(key);
    action->setIcon(look::icon(name));
    m_actions->add(menu, action);
  };
  add(m_document->undoStack()->createUndoAction(this, tr("&Undo")), "undo", QKeySequence::Undo);
  add(m_document->undoStack()->createRedoAction(this, tr("&Redo")), "redo", QKeySequence("Ctrl+Shift+Z"));
  menu->addSeparator();
  m_copies->addMenu(menu, *m_actions);
  m_board->addToMenu(m_plans->addCopies(menu, *m_actions)->menuAction());
  menu->addSeparator();
  m_actions->add(menu, "splitSize", tr("Change Micro-Batch Si&ze"), tr("Go to the number of samples per micro-batch"),
                 QKeySequence("Ctrl+M"), {}, [this] { m_split_size->edit(); });
  m_actions->add(menu, "cutBefore", tr("Cut Before This &Block"),
                 tr("Begin a stage with the selected block, on an empty lane if there is one"),
                 QKeySequence("Ctrl+Shift+X"), {}, [this] { m_board->cutBeforeBlock(); });
  m_actions->add(
      menu, "balance", tr("Balance &Stages"),
      tr("Cut the model where its step is predicted to be the shortest, by recorded or estimated block times"),
      QKeySequence("Ctrl+Shift+G"), {}, [this] { m_board->balance(); });
  m_actions->add(menu, "findBlock", tr("&Find Block..."),
                 tr("Find a block of the board by its name (Ctrl+F on the board)"), {}, "search",
                 [this] { Q_EMIT m_board->findWanted(); });
  m_actions->add(menu, "addLane", tr("&Add Lane"), tr("Add a lane to the board"), QKeySequence("Ctrl+L"), "add-lane",
                 [this] { m_board->addLane(); });
  m_actions->add(menu, "renameLane", tr("Re&name Lane..."), tr("Rename the selected lane"), {}, "edit",
                 [this] { m_board->renameSelectedLane(); });
  m_actions->add(menu, "removeLane", tr("Re&move Lane"), tr("Remove the selected lane; its blocks go to a neighbour"),
                 {}, "minus", [this] { m_board->removeSelectedLane(); });
  menu->addSeparator();
  m_actions->add(menu, "settings", tr("Se&ttings..."),
                 tr("Choose theme, keys, questions and what new experiments begin with"), QKeySequence("Ctrl+,"),
                 "settings", [this] { showSettings(); });
}

void MainWindow::makeViewMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&View"), "viewMenu");
  m_panes->addToggles(menu);
  menu->addSeparator();
  m_timeline_actions = new TimelineActions({m_timeline, m_find, m_presenter, m_bookmarks, m_compared}, m_actions, menu);
  menu->addSeparator();
  addLookChoices(menu);
  menu->addSeparator();
  const std::vector<QWidget*> centre{m_board, m_timeline};
  m_actions->add(menu, "nextPane", tr("Next P&ane"), tr("Move the focus to the next pane"), QKeySequence("F6"), {},
                 [this, centre] { m_panes->cycle(1, centre); });
  m_actions->add(menu, "previousPane", tr("Previous Pan&e"), tr("Move the focus to the previous pane"),
                 QKeySequence("Shift+F6"), {}, [this, centre] { m_panes->cycle(-1, centre); });
  m_actions->addToggle(menu, "fullScreen", tr("F&ull Screen"), tr("Show the window on the whole screen"),
                       QKeySequence("F11"), {}, [this](bool on) { on ? showFullScreen() : showNormal(); });
  m_actions->addToggle(menu, "maximisePane", tr("Ma&ximize Pane"),
                       tr("Show the pane that has the keyboard alone, or all of them again"), QKeySequence("Shift+F11"),
                       {}, [this](bool on) {
                         m_panes->showAlone(on ? QApplication::focusWidget() : nullptr);
                         action("maximisePane")->setChecked(m_panes->showsOneAlone());
                       });
  m_actions->add(menu, "detachPane", tr("&Detach or Dock Pane"),
                 tr("Give the pane that has the keyboard a window of its own, or put it back"),
                 QKeySequence("Ctrl+Shift+F11"), {}, [this] { m_panes->detachOrDock(); });
  m_actions->add(menu, "resetLayout", tr("&Reset Layout"), tr("Restore the first places of all panes"), {}, "refresh",
                 [this] { m_panes->reset(); });
}

void MainWindow::addLookChoices(QMenu* menu) {
  using Width = ChipCost;
  m_actions->addChoices(menu, tr("Block &Width"),
                        {{tr("MACs"), [this] { m_board->setWidthBy(Width::Macs); }},
                         {tr("Parameters"), [this] { m_board->setWidthBy(Width::Parameters); }},
                         {tr("Memory"), [this] { m_board->setWidthBy(Width::Memory); }}},
                        0, "widthBy");
  m_actions->addChoices(menu, tr("Error &Bars"),
                        {{tr("95 % confidence interval"), [this] { m_comparison->setSpread(Spread::Ci95); }},
                         {tr("Standard deviation"), [this] { m_comparison->setSpread(Spread::Std); }}},
                        0, "spread");
  const auto scheme = [this](look::Scheme chosen) {
    return [this, chosen] { m_settings->set(m_settings->row("look/scheme"), QString::fromStdString(toWord(chosen))); };
  };
  m_actions->addChoices(menu, tr("&Theme"),
                        {{tr("System"), scheme(look::Scheme::System)},
                         {tr("Light"), scheme(look::Scheme::Light)},
                         {tr("Dark"), scheme(look::Scheme::Dark)},
                         {tr("High Contrast"), scheme(look::Scheme::HighContrast)}},
                        static_cast<int>(m_settings->values().theme), "scheme");
}

void MainWindow::makeRunMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&Run"), "runMenu");
  m_run_starter->addStarting(menu, *m_actions);
  m_actions->add(menu, "runSuggestion", tr("Run Su&ggested Fix"),
                 tr("Add the variant that Idle and Gaps predicts to be faster, and run it with the others"),
                 QKeySequence("Ctrl+Shift+M"), {}, [this] { runSuggestion(); });
  m_run_starter->addResume(menu, *m_actions);
  menu->addSeparator();
  m_actions->add(menu, "queue", tr("&Queued Runs..."), tr("Show, order or remove the queued runs"), {}, {},
                 [this] { showQueue(); });
  m_run_starter->addStopping(menu, *m_actions);
}

void MainWindow::makePlanMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&Plan"), "planMenu");
  m_run_starter->addSweeps(menu, *m_actions);
  menu->addSeparator();
  m_actions->add(menu, "cuts", tr("Compare &Cuts..."),
                 tr("Compare ways to cut the model over its lanes, and place the best"), QKeySequence("Ctrl+Shift+K"),
                 "cut", [this] { m_dialogs->showCuts(); });
  m_actions->add(menu, "deviceMap", tr("Show &Device Map..."),
                 tr("Show which device would hold which module, by memory, as accelerate maps it; also for a Llama"),
                 QKeySequence("Ctrl+Shift+V"), {}, [this] { m_dialogs->showDeviceMap(); });
  m_actions->add(menu, "useStageTimes", tr("Use Measured Stage &Times"),
                 tr("Generate the schedule of the variant from the stage times of the shown run"), {}, {},
                 [this] { useMeasuredStageTimes(*m_document, m_run.record().get()); });
  menu->addSeparator();
  m_actions->add(menu, "whatIf", tr("Explore What &If..."),
                 tr("Re-simulate the shown steps with a faster or slower stage, block or link"),
                 QKeySequence("Ctrl+Shift+I"), {}, [this] { m_what_if->open(); });
  m_run_starter->addCheck(menu, *m_actions);
}

void MainWindow::makeRunsMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("R&uns"), "runsMenu");
  for (auto* listed : m_runs->actions()) m_actions->add(menu, listed);
  m_actions->add(menu, "closeRun", tr("Close Vie&wed Run"),
                 tr("Show the last run of the open experiment again, or none"), QKeySequence("Ctrl+Shift+W"), "close",
                 [this] { closeViewed(); });
}

void MainWindow::makeHelpMenu() {
  auto* menu = ActionSet::addMenu(menuBar(), tr("&Help"), "helpMenu");
  if (m_setup.recorded && !m_setup.examples.empty()) {
    m_actions->add(menu, "welcome", tr("&Welcome"), tr("Show the demo as another machine ran it, and ways in"), {}, {},
                   [this] { m_file_opener->openExample(m_setup.examples.front().experiment, [this] { welcome(); }); });
    m_actions->add(menu, "lessons", tr("&Lessons"), tr("Learn from recorded runs why lanes wait"), {}, {},
                   [this] { m_panes->show("lessonsDock"); });
  }
  m_actions->add(menu, "buildSchedule", tr("&Build a Schedule..."),
                 tr("Build known schedules action by action, in eight levels, and train what you built"), {}, {},
                 [this] {
                   m_panes->show("scheduleDock");
                   m_schedule_stack->build();
                 });
  menu->addSeparator();
  m_help->addActions(menu, *m_actions);
  menu->addSeparator();
  m_actions->add(menu, "commandPalette", tr("&Command Palette..."),
                 tr("Find commands, panes, blocks, lanes, runs, examples and pages by their names"),
                 QKeySequence("Ctrl+Shift+P"), "search", [this] { showPalette(); });
  m_actions->add(menu, "keys", tr("&Keys"), tr("List all keys"), QKeySequence("?"), {},
                 [this] { showKeysDialog(this, *menuBar(), m_settings->values().wheel); });
  m_actions->add(menu, "about", tr("&About LaneLab"), tr("Version and licence"), {}, "info",
                 [this] { showAboutDialog(this, m_setup.executor->describe()); });
}

void MainWindow::showPalette() {
  const auto front = [this] { return m_timeline->hasFocus() ? m_timeline->objectName() : m_panes->inFront(); };
  const auto not_beside_a_run = [this] {
    return m_viewed->isViewing() ? tr("Not while a stored run or trace is viewed.") : QString();
  };
  const auto not_during_a_run = [this] { return m_controller->running() ? tr("Not during a run.") : QString(); };
  const QList<PaletteSource> sources{
      commandSource(menuBar(), front),
      paneSource(m_panes.get()),
      laneSource(m_document, m_board, not_beside_a_run),
      blockSource(m_board, not_beside_a_run),
      runSource(m_runs, not_during_a_run, [this](const QString& folder) { openPath(folder); }),
      helpSource([this](const QString& address) { m_help->open(helpPlace(address)); })};
  (new CommandPalette(this, sources))->show();
}

/// The undo stack writes the texts of both, from which their tips follow while they are enabled.
void MainWindow::showUndo(const QString& why_not) {
  const QUndoStack& stack = *m_document->undoStack();
  const auto show = [this, why_not](const char* name, bool possible, const QString& tip, const QString& none) {
    QAction* const shown = action(name);
    shown->setEnabled(why_not.isEmpty() && possible);
    const QString why = why_not.isEmpty() ? none : why_not;
    shown->setToolTip(shown->isEnabled() ? QString() : withKey(tip, shown->shortcut()) + '\n' + why);
  };
  show("undo", stack.canUndo(), tr("Undo the last edit"), tr("There is no edit to undo."));
  show("redo", stack.canRedo(), tr("Redo the edit that was undone"), tr("No edit was undone."));
}

void MainWindow::updateActions() {
  const bool running = m_controller->running(), viewing = m_viewed->isViewing();
  const auto unless_running = [running](const QString& why_not) { return running ? tr("Not during a run.") : why_not; };
  const QString read_only = unless_running(viewing ? tr("Not while a stored run or trace is viewed.") : QString());
  const bool has_stage_times = !measuredStageTimes(*m_document, m_run.record().get()).empty();
  m_actions->setEnabled(
      {"splitSize", "cutBefore", "balance", "addLane", "renameLane", "removeLane", "cuts", "importModel"},
      read_only.isEmpty(), read_only);
  showUndo(read_only);
  m_actions->setEnabled({"runSuggestion"}, !running && m_presenter->suggestion(),
                        unless_running(tr("There is no suggestion for the shown run.")));
  m_actions->setEnabled({"whatIf"}, !running && m_what_if->isPossible(),
                        unless_running(tr("Show a timeline with steps first.")));
  m_actions->setEnabled({"useStageTimes"}, !running && has_stage_times,
                        unless_running(tr("Show a run that measured the stages of this pipeline first.")));
  m_actions->setEnabled({"closeRun"}, m_run.isViewed() || importedFile(m_presenter->shown()),
                        tr("No stored run or trace is viewed."));
  m_sweep->setCanAsk(m_run_starter->canSweep());
  m_idle->strip().setSweepsShownRun(!m_run.isViewed() && m_run_starter->canSweep());
  m_actions->setEnabled({"queue"}, !m_queue->isEmpty(), tr("No run is queued."));
  m_file_opener->updateActions(*m_actions);
  m_run_starter->updateActions(*m_actions);
  m_exports->updateActions(*m_actions);
  m_copies->updateActions(*m_actions);
  m_plans->updateActions(*m_actions);
  m_timeline_actions->update();
}

}  // namespace lanelab
