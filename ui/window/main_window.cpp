// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/main_window.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/accessible/accessibility.h"
#include "ui/board/block_find.h"
#include "ui/board/board_view.h"
#include "ui/board/layer_table.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/curve/curve_work.h"
#include "ui/curve/memory_pane.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/first_steps/first_minute.h"
#include "ui/first_steps/lesson_guide.h"
#include "ui/first_steps/lesson_pane.h"
#include "ui/first_steps/welcome_strip.h"
#include "ui/history/runs_list.h"
#include "ui/levels/schedule_stack.h"
#include "ui/look/elided_label.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/queue/queue_dialog.h"
#include "ui/queue/run_queue.h"
#include "ui/schedule/schedule_pane.h"
#include "ui/session/session_keeper.h"
#include "ui/settings/settings_store.h"
#include "ui/statistics/statistics_pane.h"
#include "ui/timeline/change/change_strip.h"
#include "ui/timeline/details/details_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/change_presenter.h"
#include "ui/watch/details_presenter.h"
#include "ui/watch/statistics_presenter.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_comparison.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/watch/what_if_replay.h"
#include "ui/window/action_set.h"
#include "ui/window/board_dialogs.h"
#include "ui/window/command_copies.h"
#include "ui/window/experiment_saver.h"
#include "ui/window/exports.h"
#include "ui/window/pane_layout.h"
#include "ui/window/plan_exports.h"
#include "ui/window/progress_line.h"
#include "ui/window/run_starter.h"
#include "ui/window/variant_controls.h"
#include "ui/window/viewed_run_bar.h"
#include "ui/window/window_help.h"

namespace lanelab {

namespace {

constexpr int kLeastView = 72;
constexpr QSize kSmallestWindow(600, 330);  ///< a screen of 1280x720 at 200 % has 640x360

/// A half of the centre: a heading with a line beside it, and the view below.
QWidget* makeHalf(const QString& title, QWidget* beside, const std::vector<QWidget*>& below) {
  auto* half = new QWidget;
  auto* column = look::makeLayout<QVBoxLayout>(half, look::kGrid, look::kPaneMargins);
  auto* top = new QHBoxLayout;
  auto* heading = new look::PlainLabel(title);
  heading->setFont(look::headlineFont());
  top->addWidget(heading);
  top->addSpacing(2 * look::kGrid);
  top->addWidget(beside, 1);
  column->addLayout(top);
  for (QWidget* const view : below) column->addWidget(view, view == below.back() ? 1 : 0);
  return half;
}

/// A control and what it is called, which go together into the menu of what a narrow tool bar has no room for.
QWidget* labelled(const QString& name, QWidget* control) {
  auto* both = new QWidget;
  auto* row = look::makeLayout<QHBoxLayout>(both, look::kGrid, {look::kGrid, 0, look::kGrid, 0});
  row->addWidget(new look::PlainLabel(name));
  row->addWidget(control);
  return both;
}

/// None if anything dropped is not local.
QStringList droppedPaths(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) return {};
    paths.push_back(url.toLocalFile());
  }
  return paths;
}

/// Of "Run(&R)", as Chinese has it, Qt would leave "Run(R)" on the button.
void showWithoutKey(QAction* action) {
  const auto show = [action] { action->setIconText(look::withoutMnemonic(action->text())); };
  show();
  QObject::connect(action, &QAction::changed, action, show);
}

}  // namespace

QString deviceSentence(const std::vector<DeviceInfo>& devices) {
  const auto cores = std::count_if(devices.begin(), devices.end(), [](const auto& d) { return d.device.isCpu(); });
  const auto gpus = static_cast<std::ptrdiff_t>(devices.size()) - cores;
  const QString core_words = cores == 1 ? MainWindow::tr("1 CPU core") : MainWindow::tr("%1 CPU cores").arg(cores);
  if (gpus == 0) return MainWindow::tr("%1, no GPU: lanes are CPU cores").arg(core_words);
  return gpus == 1 ? MainWindow::tr("%1, 1 GPU").arg(core_words)
                   : MainWindow::tr("%1, %2 GPUs").arg(core_words).arg(gpus);
}

MainWindow::MainWindow(Setup setup, QWidget* parent)
    : QMainWindow(parent),
      m_setup(std::move(setup)),
      m_settings(new SettingsStore(this)),
      m_document(new ExperimentDocument(this, m_setup.examples.empty() ? blankExperiment(m_setup.executor->devices())
                                                                       : m_setup.examples.front().experiment)),
      m_controller(new RunController(m_setup.executor, QString::fromStdString(m_setup.runs.own), this)) {
  installAccessibility();
  setObjectName("mainWindow");
  setAcceptDrops(true);
  setMinimumSize(kSmallestWindow);
  makeViews();
  setCentralWidget(makeCentre());
  makePanes();
  makeStatusBar();
  makeWorkers();
  makeSession();
  makeNotices();
  makeMenus();
  makeToolBar();
  connectDocument();
  connectPanes();
  connectRuns();
  connectFiles();
  useSettings();
  m_panes->arrange();
  m_document->setActiveVariant(std::max(0, static_cast<int>(m_document->experiment().variants.size()) - 1));
  showTitle();
  updateActions();
  m_board->setFocus();
}

MainWindow::~MainWindow() {
  m_document->undoStack()->disconnect(this);  // it ends after the window's members, and becomes clean by that
}

void MainWindow::makeViews() {
  m_messages = new MessageStrip;
  m_board = new BoardView(m_document, m_setup.executor->devices());
  m_board->setBlockTimes([executor = m_setup.executor](const Resolution& resolution, const TrainingModes& modes) {
    return recordedBlockTimes(resolution, modes, *executor, ProfileStore::ofThisUser());
  });
  m_timeline = new TimelineView;
  m_trace_headline = new ElidedLabel;
  m_find = new FindStrip(m_timeline);
  m_changes = new ChangeStrip(&m_timeline->changes());
  m_layers = new LayersPane(m_document);
  m_stages = new StageSummary(m_document);
  m_schedule_pane = new SchedulePane(m_document);
  m_schedule_stack = new ScheduleStack(m_schedule_pane, m_setup.executor->devices());
  m_panel = new ExperimentPanel(m_document);
  m_comparison = new ComparisonView;
  m_loss = new LossView;
  m_sweep = new SweepView;
  m_memory = new MemoryPane;
  m_idle = new IdleTable;
  m_statistics = new StatisticsPane;
  m_details = new DetailsPane;
  m_runs = new RunsList(m_setup.runs);
  m_viewed = new ViewedRunBar;
  m_welcome = new WelcomeStrip;
  if (m_setup.recorded) m_lessons = new LessonPane;
}

QWidget* MainWindow::makeCentre() {
  auto* centre = new QWidget;
  auto* column = look::makeLayout<QVBoxLayout>(centre, 0);
  auto* strip = new QHBoxLayout;  // one line for both: what is below moves once at most
  strip->setSpacing(0);
  strip->addWidget(m_messages, 1);
  strip->addWidget(m_viewed);
  connect(m_messages, &MessageStrip::shownChanged, m_viewed, &ViewedRunBar::setBeside);
  column->addLayout(strip);
  column->addWidget(m_welcome);
  m_centre = new QSplitter(Qt::Vertical);
  m_centre->setObjectName("centre");
  m_centre->setChildrenCollapsible(false);
  m_place = makePlace();
  m_centre->addWidget(m_place);
  m_centre->addWidget(makeWatch());
  m_centre->setStretchFactor(0, 1);
  m_centre->setStretchFactor(1, 1);
  column->addWidget(m_centre, 1);
  return centre;
}

QWidget* MainWindow::makePlace() {
  m_board->setMinimumHeight(kLeastView);
  m_variant_tabs = makeVariantTabs(m_document);
  auto* beside = new QWidget;
  auto* row = new QHBoxLayout(beside);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(m_variant_tabs, 1);
  row->addWidget(new BlockFind(m_board));
  return makeHalf(tr("Place"), beside, {m_board});
}

QWidget* MainWindow::makeWatch() {
  m_trace_headline->setObjectName("traceHeadline");
  m_timeline->setObjectName("timeline");
  m_timeline->setMinimumHeight(kLeastView);
  return makeHalf(tr("Watch"), m_trace_headline, {m_find, m_changes, m_timeline});
}

void MainWindow::makePanes() {
  m_panes = std::make_unique<PaneLayout>(this, m_centre);
  m_panes->add("runsDock", tr("Runs"), m_runs, Qt::LeftDockWidgetArea);
  m_panes->add("experimentDock", tr("Experiment"), m_panel, Qt::RightDockWidgetArea);
  m_panes->add("stagesDock", tr("Stages"), m_stages, Qt::BottomDockWidgetArea);
  m_panes->add("scheduleDock", tr("Schedule"), m_schedule_stack, Qt::BottomDockWidgetArea);
  m_panes->add("layersDock", tr("Layers"), m_layers, Qt::BottomDockWidgetArea);
  m_panes->add("lossDock", tr("Loss"), m_loss, Qt::BottomDockWidgetArea);
  m_panes->add("compareDock", tr("Compare"), m_comparison, Qt::BottomDockWidgetArea);
  m_panes->add("idleDock", tr("Idle and Gaps"), m_idle, Qt::BottomDockWidgetArea);
  m_panes->add("statisticsDock", tr("Statistics"), m_statistics, Qt::BottomDockWidgetArea, QKeySequence("Ctrl+Alt+S"));
  m_panes->add("sweepDock", tr("Micro-Batch Sizes"), m_sweep, Qt::BottomDockWidgetArea);
  m_panes->add("memoryDock", tr("Time and Memory"), m_memory, Qt::BottomDockWidgetArea);
  m_panes->add("detailsDock", tr("Details"), m_details, Qt::BottomDockWidgetArea);
  if (m_lessons) m_panes->add("lessonsDock", tr("Lessons"), m_lessons, Qt::RightDockWidgetArea);
}

void MainWindow::makeStatusBar() {
  m_hover = new look::PlainLabel;
  m_hover->setObjectName("hoverSentence");
  m_hover->setMinimumWidth(1);  // a long sentence is cut rather than the window widened
  statusBar()->addWidget(m_hover, 1);
  m_queue = new RunQueue(this);
  auto* queued = new QueueButton(m_queue);
  connect(queued, &QueueButton::clicked, this, &MainWindow::showQueue);
  statusBar()->addPermanentWidget(queued);
  m_progress = new ProgressLine(statusBar());
}

void MainWindow::makeToolBar() {
  auto* bar = addToolBar(tr("Tools"));
  bar->setObjectName("mainToolBar");
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  addWithoutText(*bar, {"open", "save"});
  bar->addSeparator();
  addWithoutText(*bar, {"undo", "redo"});
  bar->addSeparator();
  bar->addActions({action("run"), action("cancel")});
  QAction* const exports = findChild<QMenu*>("exportMenu")->menuAction();
  for (QAction* shown : {action("run"), action("cancel"), exports}) showWithoutKey(shown);
  bar->addSeparator();
  m_split_size = new SplitSizeControl(m_document);
  bar->addWidget(labelled(tr("Micro-batch size"), m_split_size));
  bar->addSeparator();
  m_schedule = new ScheduleChoice(m_document);
  bar->addWidget(labelled(tr("Schedule"), m_schedule));
  bar->addSeparator();
  bar->QWidget::addAction(exports);
  qobject_cast<QToolButton*>(bar->widgetForAction(exports))->setPopupMode(QToolButton::InstantPopup);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  auto* devices = new look::PlainLabel(deviceSentence(m_setup.executor->devices()));
  devices->setObjectName("deviceSentence");
  devices->setMargin(2 * look::kGrid);
  bar->addWidget(devices);
}

/// Everyone knows these icons; their tips have the words.
void MainWindow::addWithoutText(QToolBar& bar, std::initializer_list<const char*> names) const {
  for (const char* name : names) {
    bar.addAction(action(name));
    qobject_cast<QToolButton*>(bar.widgetForAction(action(name)))->setToolButtonStyle(Qt::ToolButtonIconOnly);
  }
}

void MainWindow::makeWorkers() {
  const WindowParts parts{m_document, m_controller, &m_run, m_messages, m_settings, this};
  auto* const stored = new RunBookmarks(this);
  m_presenter = new TimelinePresenter({m_timeline, m_idle, m_trace_headline}, m_document, &m_run, stored,
                                      m_setup.executor, predictFromStoredTimes(m_setup.executor), this);
  new DetailsPresenter(m_timeline, m_details, m_presenter, this);
  new StatisticsPresenter(m_timeline, m_statistics, m_presenter, this);
  new ChangePresenter(parts, m_presenter, m_timeline, m_changes, m_setup.executor);
  m_bookmarks = new TimelineBookmarks(parts, m_presenter, m_timeline, stored);
  m_compared = new TimelineComparison(parts, m_presenter);
  m_what_if = new WhatIfReplay(m_presenter, m_setup.executor, this);
  m_exports = new Exports({m_timeline, m_comparison, m_loss, m_sweep, m_memory, m_stages}, m_presenter, parts);
  m_curve = new CurveWork(m_document, m_memory, {m_setup.executor->devices(), m_setup.runs.all()}, this);
  m_copies = new CommandCopies(parts, m_presenter);
  m_plans = new PlanExports(parts, m_presenter, &m_board->forecast());
  m_help = new WindowHelp(this, m_messages);
  m_saver = new ExperimentSaver(parts);
  m_file_opener = new FileOpener(parts, m_saver);
  m_first_minute = new FirstMinute(parts, m_welcome, &m_board->forecast(), m_setup.recorded);
  if (m_lessons) {
    auto* const guide = new LessonGuide(parts, m_lessons, m_timeline, m_presenter, m_setup.recorded);
    connect(guide, &LessonGuide::runOpened, this, &MainWindow::showViewed);
  }
  m_dialogs = new BoardDialogs(parts, m_setup.executor, {m_setup.networks, m_setup.infer});
  m_progress->follow(&m_file_opener->reading(), "reading");
  m_progress->follow(&m_run.reading(), "readingRun");
  m_progress->follow(&m_compared->reading(), "readingOther");
  m_progress->follow(&m_exports->writing(), "writing");
  m_progress->follow(&m_exports->painting(), "painting");
  m_run_starter =
      new RunStarter(parts, m_saver, m_file_opener, m_dialogs, m_queue, {m_setup.check, m_setup.measure_load});
}

void MainWindow::connectDocument() {
  connect(m_document, &ExperimentDocument::changed, this, [this] {
    showTitle();
    updateActions();
  });
  connect(m_document, &ExperimentDocument::pathChanged, this, &MainWindow::showTitle);
  connect(m_document->undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
  connect(m_document->undoStack(), &QUndoStack::canUndoChanged, this, &MainWindow::updateActions);
  connect(m_document->undoStack(), &QUndoStack::canRedoChanged, this, &MainWindow::updateActions);
  connect(m_document, &ExperimentDocument::noticed, m_messages, &MessageStrip::inform);
}

void MainWindow::connectPanes() {
  // The board shows the open experiment: a viewed run tells it block times at most, and only where they are of its
  // blocks; one of another machine tells it nothing.
  const auto run_of_board = [this] {
    return m_run.isViewed() || m_run.isRecordedElsewhere() ? nullptr : m_run.record();
  };
  connect(&m_run, &ShownRun::recordChanged, this, [this, run_of_board] { m_board->showRun(run_of_board()); });
  const auto show_trace = [this] {
    if (m_run.isRecordedElsewhere()) return m_board->showTrace(nullptr, {}, nullptr);
    const QString variant = m_document->activeVariantName();
    m_board->showTrace(m_run.record(), variant.toStdString(), m_run.trace(variant));
  };
  connect(&m_run, &ShownRun::recordChanged, this, show_trace);
  connect(&m_run, &ShownRun::traceLoaded, this, show_trace);
  connect(m_document, &ExperimentDocument::activeVariantChanged, this, show_trace);
  connect(m_board, &BoardView::noticed, m_messages, &MessageStrip::inform);
  connect(m_board, &BoardView::previewChanged, m_stages, &StageSummary::showPreview);
  connect(m_board, &BoardView::previewEnded, m_stages, &StageSummary::endPreview);
  connect(qobject_cast<QDockWidget*>(m_details->parentWidget()), &QDockWidget::visibilityChanged, m_timeline,
          [this](bool visible) { m_timeline->setShowFacts(!visible); });
  connect(m_timeline, &TimelineView::hoverChanged, m_hover, &QLabel::setText);
  connect(m_timeline, &TimelineView::leastHeightChanged, this, [this](int height) {
    const QWidget* const half = m_timeline->parentWidget();
    m_panes->setLeastBelow(height == 0 ? 0 : height + half->height() - m_timeline->height());
  });
  connect(m_presenter, &TimelinePresenter::changed, this, &MainWindow::updateActions);
  connect(m_bookmarks, &TimelineBookmarks::exportRequested, this, [this] { m_exports->saveBookmarks(*m_bookmarks); });
  const PlacementForecast* const forecast = &m_board->forecast();
  connect(forecast, &PlacementForecast::timesChanged, m_curve,
          [this, forecast] { m_curve->setBlockTimes(forecast->times()); });
  connect(m_memory, &MemoryPane::curveChanged, this, &MainWindow::updateActions);
  connect(m_memory, &MemoryPane::measureRequested, m_dialogs, &BoardDialogs::showCuts);
  connect(m_dialogs, &BoardDialogs::blocksMeasured, m_board, &BoardView::lookForBlockTimes);
  connect(m_dialogs, &BoardDialogs::exportRequested, m_exports, &Exports::saveDeviceMap);
}

QAction* MainWindow::action(const QString& name) const { return m_actions->find(name); }
void MainWindow::announceUpdate() { m_help->announceUpdate(); }
void MainWindow::openPath(const QString& path) { m_file_opener->openPath(path); }

void MainWindow::welcome() { m_first_minute->begin(QStringLiteral("demo")); }

void MainWindow::openExperiment(const Experiment& experiment, const QString& path) {
  m_file_opener->openExperiment(experiment, path);
}

void MainWindow::showTitle() {
  setWindowModified(!m_document->undoStack()->isClean());
  QString name = look::shownName(m_document->experiment().name);
  name.replace(QLatin1String("[*]"),
               QLatin1String("[*][*]"));                       // one alone is where Qt puts the mark of unsaved changes
  const QString title = tr("%1[*] \u2014 LaneLab").arg(name);  // as Qt writes the titles of dialogs
  setWindowTitle(m_has_news ? tr("(ended) %1").arg(title) : title);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (mayClose()) {
    m_panes->store();
    m_help->close();
    return event->accept();
  }
  event->ignore();
  if (m_controller->running() || !m_queue->isEmpty()) return askToStop();
  m_saver->afterSaving([this] {
    m_document->undoStack()->setClean();
    close();
  });
}

/// Unsaved edits that the user need not be asked about are stored aside.
bool MainWindow::mayClose() {
  if (m_controller->running() || !m_queue->isEmpty()) return false;
  const Settings& settings = m_settings->values();
  const bool asks = settings.ask_unsaved && !m_document->undoStack()->isClean();
  return !asks && m_session->close(settings.reopen);
}

void MainWindow::stopAndClose() {
  m_queue->clear();
  m_close_when_ended = m_controller->running();
  if (m_close_when_ended)
    m_run_starter->cancel();
  else
    close();
}

void MainWindow::askToStop() {
  if (!m_settings->values().ask_stop) return stopAndClose();
  const bool running = m_controller->running();
  QString text = running ? tr("Stop the run and quit? Completed measurements are stored.") : tr("Quit all the same?");
  if (!m_queue->isEmpty())
    text = tr("%n queued run(s) will not start: the queue is in memory only.", nullptr, m_queue->size()) + ' ' + text;
  auto* box = look::plainBox("stopBox", QMessageBox::Question, running ? tr("Run in Progress") : tr("Queued Runs"),
                             text, QMessageBox::NoButton, this);
  auto* stop = box->addButton(running ? tr("&Stop Run and Quit") : tr("&Quit"), QMessageBox::AcceptRole);
  stop->setObjectName("stopAndQuit");
  auto* keep = box->addButton(running ? tr("&Continue Running") : tr("&Cancel"), QMessageBox::RejectRole);
  keep->setObjectName("keepRunning");
  box->setDefaultButton(keep);
  box->setEscapeButton(keep);
  connect(stop, &QPushButton::clicked, this, &MainWindow::stopAndClose);
  box->open();
}

/// Moving panes lays the window out again, which a resize in progress would undo.
void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  QMetaObject::invokeMethod(
      this, [this] { m_panes->fitTo(size()); }, Qt::QueuedConnection);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedPaths(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList paths = droppedPaths(*event->mimeData());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  m_file_opener->openPaths(paths);
}

}  // namespace lanelab
