// SPDX-License-Identifier: GPL-3.0-only
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QUndoStack>

#include "ui/board/board_view.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/export/picture.h"
#include "ui/history/runs_list.h"
#include "ui/look/icons.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/help_dialogs.h"
#include "ui/window/main_window.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

QString withKey(const QString& tip, const QKeySequence& key) {
  return key.isEmpty() ? tip : QString("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText));
}

QMenu* addMenuTo(QMenuBar* bar, const QString& title, const QString& name) {
  auto* menu = bar->addMenu(title);
  menu->setObjectName(name);
  menu->setToolTipsVisible(true);
  return menu;
}

}  // namespace

QAction* MainWindow::action(const QString& name) const {
  const auto found = m_actions.find(name);
  return found == m_actions.end() ? nullptr : found->second;
}

QAction* MainWindow::addAction(QMenu* menu, const QString& name, const QString& text, const QString& tip,
                               const QKeySequence& key, const QString& icon,
                               const std::function<void()>& on_triggered) {
  auto* action = new QAction(text, this);
  action->setObjectName(name);
  action->setToolTip(withKey(tip, key));
  action->setStatusTip({});
  action->setShortcut(key);
  if (!icon.isEmpty()) action->setIcon(look::icon(icon));
  connect(action, &QAction::triggered, this, on_triggered);
  menu->addAction(action);
  m_actions[name] = action;
  return action;
}

void MainWindow::makeMenus() {
  makeFileMenu();
  makeEditMenu();
  makeViewMenu();
  makeRunMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  auto* menu = addMenuTo(menuBar(), tr("&File"), "fileMenu");
  addAction(menu, "new", tr("&New Experiment"), tr("Start from a small network with all blocks on one lane"),
            QKeySequence::New, "new", [this] { newExperiment(); });
  addAction(menu, "open", tr("&Open Experiment..."), tr("Open an experiment file"), QKeySequence::Open, "open",
            [this] { chooseExperiment(); });
  addAction(menu, "openTrace", tr("Open &Trace..."),
            tr("Show a trace of another program, such as torch.profiler, and why it stood idle"), {}, {},
            [this] { chooseTrace(); });
  addAction(menu, "openRunFolder", tr("Open &Run Folder..."), tr("Show a run from its folder"),
            QKeySequence("Ctrl+Shift+O"), "history", [this] { chooseRunFolder(); });
  m_recent = menu->addMenu(look::icon("history"), tr("Open Re&cent"));
  m_recent->setObjectName("recentMenu");
  m_recent->setToolTipsVisible(true);
  connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  fillRecent();
  auto* examples = menu->addMenu(tr("E&xamples"));
  examples->setToolTipsVisible(true);
  for (const auto& example : m_setup.examples)
    addAction(examples, "example-" + example.title, example.title, tr("Open the example %1").arg(example.title), {}, {},
              [this, example] {
                if (!refuseWhileRunning()) afterSaving([this, example] { openExperiment(example.experiment, {}); });
              });
  menu->addSeparator();
  addAction(menu, "save", tr("&Save"), tr("Save the experiment"), QKeySequence::Save, "save",
            [this] { saveExperiment(); });
  addAction(menu, "saveAs", tr("Save &As..."), tr("Save the experiment under another name"),
            QKeySequence("Ctrl+Shift+S"), {}, [this] { saveExperimentAs(); });
  makeExportMenu(menu);
  menu->addSeparator();
  addAction(menu, "quit", tr("&Quit"), tr("Close the window"), QKeySequence("Ctrl+Q"), {}, [this] { close(); });
}

void MainWindow::makeExportMenu(QMenu* file) {
  auto* menu = file->addMenu(look::icon("export"), tr("&Export"));
  menu->setObjectName("exportMenu");
  menu->menuAction()->setToolTip(tr("Save pictures, tables and the report"));
  menu->setToolTipsVisible(true);
  addAction(menu, "exportComparison", tr("&Comparison..."), tr("Bars as PNG, SVG or PDF, the table as CSV"),
            QKeySequence("Ctrl+Shift+E"), "bars", [this] { exportComparison(); });
  addAction(menu, "exportTimeline", tr("&Timeline..."),
            tr("What the timeline shows as PNG, SVG or PDF, its gaps as CSV"), QKeySequence("Ctrl+Shift+T"), "timeline",
            [this] { exportTimeline(); });
  addAction(menu, "exportLoss", tr("&Loss..."), tr("Loss curves as PNG, SVG or PDF, the values as CSV"),
            QKeySequence("Ctrl+Shift+L"), "lines", [this] { exportLoss(); });
  addAction(menu, "exportSweep", tr("&Split Sizes..."),
            tr("Step time by split size as PNG, SVG or PDF, the points as CSV"), {}, "lines",
            [this] { exportSweep(); });
  addAction(menu, "exportReport", tr("&Report..."), tr("One self-contained HTML file of the run"),
            QKeySequence("Ctrl+Shift+H"), "report", [this] { exportReport(); });
  addAction(menu, "exportTrace", tr("Trace for &Perfetto..."), tr("The timeline's spans as Chrome trace JSON"), {}, {},
            [this] { exportTrace(); });
  addAction(menu, "exportFolder", tr("&Everything into a Folder..."),
            tr("Report, pictures and tables of the run, each in its file"), {}, {}, [this] { exportFolder(); });
}

void MainWindow::makeEditMenu() {
  auto* menu = addMenuTo(menuBar(), tr("&Edit"), "editMenu");
  auto* undo = m_document->undoStack()->createUndoAction(this, tr("&Undo"));
  undo->setObjectName("undo");
  undo->setShortcut(QKeySequence::Undo);
  undo->setIcon(look::icon("undo"));
  auto* redo = m_document->undoStack()->createRedoAction(this, tr("&Redo"));
  redo->setObjectName("redo");
  redo->setShortcut(QKeySequence("Ctrl+Shift+Z"));
  redo->setIcon(look::icon("redo"));
  menu->addActions({undo, redo});
  m_actions["undo"] = undo;
  m_actions["redo"] = redo;
  menu->addSeparator();
  addAction(menu, "splitSize", tr("Change Split &Size"), tr("Go to the number of samples a micro-batch"),
            QKeySequence("Ctrl+M"), {}, [this] { m_split_size->findChild<QWidget*>("splitSizeNumber")->setFocus(); });
  addAction(menu, "addLane", tr("&Add Lane"), tr("Add a lane to the board"), QKeySequence("Ctrl+L"), "add-lane",
            [this] { m_board->addLane(); });
  addAction(menu, "renameLane", tr("Re&name Lane..."), tr("Rename the selected lane"), {}, "edit",
            [this] { m_board->renameSelectedLane(); });
  addAction(menu, "removeLane", tr("Re&move Lane"), tr("Remove the selected lane; its blocks go to a neighbour"), {},
            "minus", [this] { m_board->removeSelectedLane(); });
}

void MainWindow::addChoices(QMenu* menu, const QString& title,
                            const std::vector<std::pair<QString, std::function<void()>>>& choices, int chosen,
                            const QString& name) {
  auto* sub = menu->addMenu(title);
  sub->setToolTipsVisible(true);
  auto* group = new QActionGroup(this);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const auto& [text, on_chosen] = choices[i];
    auto* action =
        addAction(sub, name + QString::number(i), text, QString(title).remove('&') + ": " + text, {}, {}, on_chosen);
    action->setCheckable(true);
    action->setChecked(static_cast<int>(i) == chosen);
    group->addAction(action);
  }
}

void MainWindow::makeViewMenu() {
  auto* menu = addMenuTo(menuBar(), tr("&View"), "viewMenu");
  for (std::size_t i = 0; i < m_docks.size(); ++i) {
    auto* toggle = m_docks[i]->toggleViewAction();
    const QKeySequence key(QString("Ctrl+%1").arg(i + 1));
    toggle->setObjectName("show-" + m_docks[i]->objectName());
    toggle->setShortcut(key);
    toggle->setToolTip(withKey(tr("Show or hide the pane %1").arg(m_docks[i]->windowTitle()), key));
    menu->addAction(toggle);
  }
  menu->addSeparator();
  addAction(menu, "fit", tr("&Fit Timeline"), tr("Show all of the timeline"), QKeySequence("Ctrl+0"), "fit",
            [this] { m_timeline->fit(); });
  addAction(menu, "zoomSelection", tr("&Zoom to Selection"), tr("Zoom the timeline to its selected range"),
            QKeySequence("Ctrl+E"), "zoom-selection", [this] { m_timeline->zoomToSelection(); });
  addAction(menu, "previousZoom", tr("&Previous Zoom"), tr("Go back to the range shown before"),
            QKeySequence("Ctrl+Backspace"), {}, [this] { m_timeline->previousZoom(); });
  addAction(menu, "nextStep", tr("&Next Step"), tr("Show the next step on the timeline"), QKeySequence("Ctrl+]"),
            "next", [this] { m_timeline->nextStep(); });
  addAction(menu, "previousStep", tr("Pre&vious Step"), tr("Show the step before on the timeline"),
            QKeySequence("Ctrl+["), "previous", [this] { m_timeline->previousStep(); });
  auto* details = addAction(menu, "details", tr("Details &under Actions"),
                            tr("Show blocks, operators and host threads as rows of their own"), QKeySequence("Ctrl+D"),
                            "details", [this] { m_timeline->setShowDetails(action("details")->isChecked()); });
  details->setCheckable(true);
  details->setChecked(m_timeline->showsDetails());
  makeRowsMenu(menu);
  makeTimelineMenu(menu);
  menu->addSeparator();
  using Width = ChipCost;
  addChoices(menu, tr("&Width of a Block"),
             {{tr("MACs"), [this] { m_board->setWidthBy(Width::Macs); }},
              {tr("Parameters"), [this] { m_board->setWidthBy(Width::Parameters); }},
              {tr("Memory"), [this] { m_board->setWidthBy(Width::Memory); }}},
             0, "widthBy");
  addChoices(menu, tr("&Spread of the Bars"),
             {{tr("95 % confidence interval"), [this] { m_comparison->setSpread(Spread::Ci95); }},
              {tr("Standard deviation"), [this] { m_comparison->setSpread(Spread::Std); }}},
             0, "spread");
  const auto scheme = [this](look::Scheme chosen) {
    return [this, chosen] {
      WindowSettings().setScheme(chosen);
      look::apply(*qApp, chosen);
      showTrace();
    };
  };
  addChoices(menu, tr("&Theme"),
             {{tr("As the system"), scheme(look::Scheme::System)},
              {tr("Light"), scheme(look::Scheme::Light)},
              {tr("Dark"), scheme(look::Scheme::Dark)}},
             static_cast<int>(WindowSettings().scheme()), "scheme");
  menu->addSeparator();
  addAction(menu, "nextPane", tr("Next P&ane"), tr("Move the keyboard to the next pane"), QKeySequence("F6"), {},
            [this] { cyclePane(1); });
  addAction(menu, "previousPane", tr("Previous Pan&e"), tr("Move the keyboard to the pane before"),
            QKeySequence("Shift+F6"), {}, [this] { cyclePane(-1); });
  addAction(menu, "resetLayout", tr("&Reset Layout"), tr("Put all panes back to where they were at first"), {},
            "refresh", [this] { resetLayout(); });
}

void MainWindow::makeRunMenu() {
  auto* menu = addMenuTo(menuBar(), tr("&Run"), "runMenu");
  addAction(menu, "run", tr("&Run"), tr("Train all variants and measure them"), QKeySequence("Ctrl+Return"), "run",
            [this] { startRun(); });
  addAction(menu, "runNewSeed", tr("Run with a New &Seed"), tr("Raise the seed by one and run again"),
            QKeySequence("Ctrl+Shift+Return"), {}, [this] { startRunWithNewSeed(); });
  addAction(menu, "adviseSplitSize", tr("&Advise a Split Size"),
            tr("Predict step time for the usual split sizes and measure the best three"), QKeySequence("Ctrl+Shift+A"),
            {}, [this] { startSweep(kAdvisedSplitSizes); });
  addAction(menu, "sweepSplitSizes", tr("&Measure All Split Sizes"),
            tr("Predict and measure step time for all of the usual split sizes"), {}, {}, [this] { startSweep(0); });
  addAction(menu, "cuts", tr("&Where to Cut..."),
            tr("Compare ways to cut the network over its lanes, and place the best"), QKeySequence("Ctrl+Shift+K"), {},
            [this] { showCuts(); });
  addAction(menu, "deviceMap", tr("De&vice Map..."),
            tr("See which device would hold which module, by memory, as accelerate maps it; also for a Llama"),
            QKeySequence("Ctrl+Shift+V"), {}, [this] { showDeviceMap(); });
  addAction(menu, "runSuggestion", tr("Run the Men&d"),
            tr("Add the variant that would be faster, as Idle and Gaps says, and run it beside the present one"),
            QKeySequence("Ctrl+Shift+M"), {}, [this] { runSuggestion(); });
  addAction(menu, "whatIf", tr("What &If..."),
            tr("Play the shown steps again with a stage, block or link that takes longer or shorter"),
            QKeySequence("Ctrl+Shift+I"), {}, [this] { showWhatIf(); });
  if (m_setup.check)
    addAction(menu, "check", tr("C&heck Against a Single Device..."),
              tr("Train each variant for a few steps and compare it with a single device, tensor by tensor"), {}, {},
              [this] { checkVariants(); });
  auto* cancel =
      addAction(menu, "cancel", tr("&Cancel"), tr("Stop after the action that computes now; what was measured is kept"),
                QKeySequence("Ctrl+."), "stop", [this] { cancelRun(); });
  cancel->setShortcuts({QKeySequence("Ctrl+."), QKeySequence("Ctrl+Alt+Return")});
  addAction(menu, "useStageTimes", tr("Schedule by Measured &Times"),
            tr("Make the variant's schedule from what the shown run measured of its stages"), {}, {},
            [this] { useMeasuredStageTimes(); });
  addAction(menu, "resume", tr("Resume &Unfinished Run"),
            tr("Go on with the shown run from its last checkpoint; what it measured is kept"), {}, {},
            [this] { resumeRun(); });
  menu->addSeparator();
  for (auto* listed : m_runs->actions()) {
    menu->addAction(listed);
    m_actions[listed->objectName()] = listed;
  }
}

void MainWindow::makeHelpMenu() {
  auto* menu = addMenuTo(menuBar(), tr("&Help"), "helpMenu");
  auto* keys =
      addAction(menu, "keys", tr("&Keys"), tr("List all keys"), QKeySequence("F1"), "help", [this] { showKeys(); });
  keys->setShortcuts({QKeySequence("F1"), QKeySequence("?")});
  addAction(menu, "about", tr("&About LaneLab"), tr("Version and licence"), {}, "info", [this] { showAbout(); });
}

void MainWindow::updateActions() {
  const bool has_run = m_shown.record() != nullptr;
  const bool has_trace = m_timeline->trace() != nullptr;
  for (const char* name :
       {"new", "open", "openTrace", "openRunFolder", "runNewSeed", "splitSize", "addLane", "renameLane", "removeLane"})
    action(name)->setEnabled(!m_running);
  m_recent->setEnabled(!m_running);
  for (const char* name : {"run", "cuts"}) action(name)->setEnabled(!m_running);
  if (m_setup.check) action("check")->setEnabled(!m_running);
  for (const char* name : {"adviseSplitSize", "sweepSplitSizes"}) action(name)->setEnabled(!m_running && hasPipeline());
  m_sweep->setCanAsk(!m_running && hasPipeline());
  action("resume")->setEnabled(!m_running && has_run && m_shown.record()->status != RunStatus::Done &&
                               !m_shown.folder().isEmpty());
  action("cancel")->setEnabled(m_running);
  action("runSuggestion")->setEnabled(!m_running && m_suggestions && !m_suggestions->best.empty());
  action("whatIf")->setEnabled(!m_running && has_trace);
  action("useStageTimes")->setEnabled(!m_running && !measuredStageTimes().empty());
  action("undo")->setEnabled(!m_running && m_document->undoStack()->canUndo());
  action("redo")->setEnabled(!m_running && m_document->undoStack()->canRedo());
  for (const char* name : {"exportTimeline", "exportTrace"}) action(name)->setEnabled(has_trace);
  action("exportSweep")->setEnabled(m_sweep->hasCurve());
  updateTimelineActions();
  for (const char* name : {"exportComparison", "exportLoss", "exportReport", "exportFolder"})
    action(name)->setEnabled(has_run);
}

void MainWindow::showKeys() { showKeysDialog(this, *menuBar()); }
void MainWindow::showAbout() { showAboutDialog(this, m_setup.executor->describe()); }

}  // namespace lanelab
