// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/main_window.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/experiment/experiment_edits.h"
#include "engine/schedule/generate.h"
#include "profiler/analysis/aligned_runs.h"
#include "ui/board/board_view.h"
#include "ui/board/layer_table.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/sweep_view.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/schedule_title.h"
#include "ui/export/picture.h"
#include "ui/history/runs_list.h"
#include "ui/look/elided_label.h"
#include "ui/look/icons.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/schedule/schedule_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

constexpr QSize kSmallestWindow(960, 600);
constexpr QSize kFirstWindow(1440, 900);
constexpr int kBottomHeight = 232;  ///< leaves board and timeline room for two lanes in a window of 1280x720

/// False when nothing in it takes the keyboard, as in a pane that is still empty.
bool focusPane(QWidget& pane) {
  if (pane.focusPolicy() != Qt::NoFocus) {
    pane.setFocus(Qt::TabFocusReason);
    return true;
  }
  for (auto* child : pane.findChildren<QWidget*>())
    if (child->isVisibleTo(&pane) && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
      child->setFocus(Qt::TabFocusReason);
      return true;
    }
  return false;
}

QLabel* makeHeading(const QString& text) {
  auto* heading = new look::PlainLabel(text);
  heading->setFont(look::headlineFont());
  return heading;
}

}  // namespace

Experiment blankExperiment(const std::vector<DeviceInfo>& devices) {
  Experiment experiment;
  experiment.name = "experiment";
  experiment.model.arch = "resnet18";
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = 16;
  experiment.data.steps = 2;
  experiment.repeats = 5;
  for (std::size_t i = 0; i < std::min<std::size_t>(devices.size(), 2); ++i)
    experiment.lanes.push_back({devices[i].device, "", 1});
  while (experiment.lanes.size() < 2)
    experiment.lanes.push_back({Device::cpu(static_cast<int>(experiment.lanes.size())), "", 1});
  VariantConfig single;
  single.name = "Single";
  single.lanes = std::vector<int>{0};
  VariantConfig pipeline;
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.schedule = ScheduleKind::OneFOneB;
  pipeline.split_size = 4;
  pipeline.cuts = std::vector<std::string>{};
  experiment.variants = {single, pipeline};
  return experiment;
}

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
      m_devices(m_setup.executor->devices()),
      m_document(new ExperimentDocument(this)),
      m_controller(new RunController(m_setup.executor, m_setup.runs_root, this)) {
  setObjectName("mainWindow");
  setAcceptDrops(true);
  setMinimumSize(kSmallestWindow);
  setDockNestingEnabled(true);
  m_document->reset(m_setup.examples.empty() ? blankExperiment(m_devices) : m_setup.examples.front().experiment, {});
  makeViews();
  setCentralWidget(makeCentre());
  makeDocks();
  makeStatusBar();
  makeMenus();
  makeToolBar();
  connectViews();
  connectController();
  arrangeDefault();
  restoreLayout();
  if (!m_document->experiment().variants.empty())
    m_document->setActiveVariant(static_cast<int>(m_document->experiment().variants.size()) - 1);
  showDocument();
  setRunning(false);
  m_board->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::makeViews() {
  m_messages = new MessageStrip;
  m_variant_tabs = new QTabBar;
  m_board = new BoardView(m_document, m_devices);
  m_timeline = new TimelineView;
  m_layers = new LayerTable(m_document);
  m_stages = new StageSummary(m_document);
  m_order = new SchedulePane(m_document);
  m_panel = new ExperimentPanel(m_document);
  m_comparison = new ComparisonView;
  m_loss = new LossView;
  m_sweep = new SweepView;
  m_idle = new IdleTable;
  m_runs = new RunsList(m_setup.runs_root);
  m_bookmarks = new RunBookmarks(this);
}

QWidget* MainWindow::makeCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_messages);
  m_centre = new QSplitter(Qt::Vertical);
  m_centre->setObjectName("centre");
  m_centre->setChildrenCollapsible(false);
  m_centre->addWidget(makePlace());
  m_centre->addWidget(makeWatch());
  m_centre->setStretchFactor(0, 1);
  m_centre->setStretchFactor(1, 1);
  column->addWidget(m_centre, 1);
  return centre;
}

QWidget* MainWindow::makePlace() {
  auto* place = new QWidget;
  auto* column = new QVBoxLayout(place);
  column->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
  column->setSpacing(look::kGrid);
  auto* top = new QHBoxLayout;
  top->addWidget(makeHeading(tr("Place")));
  top->addSpacing(2 * look::kGrid);
  m_variant_tabs->setObjectName("variantTabs");
  m_variant_tabs->setAccessibleName(tr("Variant that the board shows"));
  m_variant_tabs->setToolTip(tr("The variant whose placement and timeline are shown"));
  m_variant_tabs->setDrawBase(false);
  m_variant_tabs->setExpanding(false);
  m_variant_tabs->setElideMode(Qt::ElideNone);
  m_variant_tabs->setUsesScrollButtons(true);
  top->addWidget(m_variant_tabs, 1);
  column->addLayout(top);
  m_board->setObjectName("board");
  m_board->setMinimumHeight(96);
  column->addWidget(m_board, 1);
  return place;
}

QWidget* MainWindow::makeWatch() {
  auto* watch = new QWidget;
  auto* column = new QVBoxLayout(watch);
  column->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
  column->setSpacing(look::kGrid);
  auto* top = new QHBoxLayout;
  top->addWidget(makeHeading(tr("Watch")));
  top->addSpacing(2 * look::kGrid);
  m_trace_headline = new ElidedLabel;
  m_trace_headline->setObjectName("traceHeadline");
  top->addWidget(m_trace_headline, 1);
  column->addLayout(top);
  m_find = new FindStrip(m_timeline);
  column->addWidget(m_find);
  m_timeline->setObjectName("timeline");
  m_timeline->setMinimumHeight(96);
  column->addWidget(m_timeline, 1);
  return watch;
}

QDockWidget* MainWindow::addPane(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  dock->setAllowedAreas(Qt::AllDockWidgetAreas);
  addDockWidget(area, dock);
  m_docks.push_back(dock);
  return dock;
}

void MainWindow::makeDocks() {
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  addPane("runsDock", tr("Runs"), m_runs, Qt::LeftDockWidgetArea);
  addPane("experimentDock", tr("Experiment"), m_panel, Qt::RightDockWidgetArea);
  addPane("stagesDock", tr("Stages"), m_stages, Qt::BottomDockWidgetArea);
  addPane("scheduleDock", tr("Schedule"), m_order, Qt::BottomDockWidgetArea);
  addPane("layersDock", tr("Layers"), m_layers, Qt::BottomDockWidgetArea);
  addPane("lossDock", tr("Loss"), m_loss, Qt::BottomDockWidgetArea);
  addPane("compareDock", tr("Compare"), m_comparison, Qt::BottomDockWidgetArea);
  addPane("idleDock", tr("Idle and Gaps"), m_idle, Qt::BottomDockWidgetArea);
  addPane("sweepDock", tr("Split Sizes"), m_sweep, Qt::BottomDockWidgetArea);
}

void MainWindow::arrangeDefault() {
  const auto dock = [this](const char* name) { return findChild<QDockWidget*>(name); };
  const std::pair<const char*, Qt::DockWidgetArea> areas[] = {
      {"runsDock", Qt::LeftDockWidgetArea},      {"experimentDock", Qt::RightDockWidgetArea},
      {"stagesDock", Qt::BottomDockWidgetArea},  {"scheduleDock", Qt::BottomDockWidgetArea},
      {"layersDock", Qt::BottomDockWidgetArea},  {"lossDock", Qt::BottomDockWidgetArea},
      {"compareDock", Qt::BottomDockWidgetArea}, {"idleDock", Qt::BottomDockWidgetArea},
      {"sweepDock", Qt::BottomDockWidgetArea}};
  for (const auto& [name, area] : areas) {
    dock(name)->setFloating(false);
    addDockWidget(area, dock(name));
    dock(name)->show();
  }
  for (const char* name : {"scheduleDock", "layersDock", "lossDock", "compareDock", "idleDock", "sweepDock"})
    tabifyDockWidget(dock("stagesDock"), dock(name));
  dock("stagesDock")->raise();
  resize(kFirstWindow);
  resizeDocks({dock("runsDock"), dock("experimentDock")}, {210, 290}, Qt::Horizontal);
  resizeDocks({dock("stagesDock")}, {kBottomHeight}, Qt::Vertical);
}

/// Brings a tab to the front, unless the person closed that pane.
void MainWindow::raisePane(const char* name) {
  if (auto* dock = findChild<QDockWidget*>(name); dock->isVisible()) dock->raise();
}

void MainWindow::resetLayout() {
  if (!m_default_state.isEmpty()) restoreState(m_default_state, WindowSettings::kLayoutVersion);
  const int half = m_centre->height() / 2;
  m_centre->setSizes({half, half});
}

void MainWindow::restoreLayout() {
  m_default_state = saveState(WindowSettings::kLayoutVersion);
  const WindowSettings settings;
  const bool fits = restoreGeometry(settings.geometry());
  if (!fits) resize(kFirstWindow);
  if (!settings.dockState().isEmpty() && !restoreState(settings.dockState(), WindowSettings::kLayoutVersion))
    resetLayout();
  m_centre->restoreState(settings.centreState());
}

void MainWindow::saveLayout() {
  WindowSettings().setLayout(saveGeometry(), saveState(WindowSettings::kLayoutVersion), m_centre->saveState());
}

void MainWindow::makeStatusBar() {
  m_hover = new look::PlainLabel;
  m_hover->setObjectName("hoverSentence");
  m_hover->setMinimumWidth(1);  // a long sentence is cut rather than the window widened
  statusBar()->addWidget(m_hover, 1);
  m_progress_words = new look::PlainLabel;
  m_progress_words->setObjectName("progressWords");
  m_progress_bar = new QProgressBar;
  m_progress_bar->setObjectName("progressBar");
  m_progress_bar->setAccessibleName(tr("Repeats done"));
  m_progress_bar->setTextVisible(false);
  m_progress_bar->setFixedWidth(160);
  m_progress_bar->hide();
  statusBar()->addPermanentWidget(m_progress_words);
  statusBar()->addPermanentWidget(m_progress_bar);
}

void MainWindow::makeToolBar() {
  auto* bar = addToolBar(tr("Tools"));
  bar->setObjectName("mainToolBar");
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->QWidget::addAction(action("run"));
  bar->QWidget::addAction(action("cancel"));
  bar->addSeparator();
  bar->addWidget(new look::PlainLabel(tr("Split size ")));
  m_split_size = new SplitSizeControl(m_document);
  bar->addWidget(m_split_size);
  bar->addSeparator();
  auto* label = new look::PlainLabel(tr("Schedule "));
  bar->addWidget(label);
  m_schedule = new QComboBox;
  m_schedule->setObjectName("schedule");
  m_schedule->setAccessibleName(tr("Schedule of the variant"));
  m_schedule->setToolTip(tr("Order in which the lanes compute the micro-batches"));
  for (const ScheduleKind kind : knownSchedules()) {
    m_schedule->addItem(scheduleTitle(kind), QString::fromStdString(toWord(kind)));
    m_schedule->setItemData(m_schedule->count() - 1, scheduleTip(kind), Qt::ToolTipRole);
  }
  m_schedule->setPlaceholderText(scheduleTitle(ScheduleKind::Custom));
  bar->addWidget(m_schedule);
  bar->addSeparator();
  auto* exports = findChild<QMenu*>("exportMenu");
  bar->QWidget::addAction(exports->menuAction());
  if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(exports->menuAction())))
    button->setPopupMode(QToolButton::InstantPopup);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar->addWidget(space);
  auto* devices = new look::PlainLabel(deviceSentence(m_devices));
  devices->setObjectName("deviceSentence");
  devices->setMargin(2 * look::kGrid);
  bar->addWidget(devices);
}

void MainWindow::connectViews() {
  connect(m_document, &ExperimentDocument::changed, this, &MainWindow::showDocument);
  connect(m_document, &ExperimentDocument::activeVariantChanged, this, [this] {
    m_chosen_point.clear();
    showVariantTabs();
    showSchedule();
    showTrace();
  });
  connect(m_document, &ExperimentDocument::pathChanged, this, &MainWindow::showTitle);
  connect(m_document, &ExperimentDocument::noticed, this,
          [this](const QString& sentence) { m_messages->say(MessageStrip::Kind::Information, sentence); });
  connect(m_document->undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
  connect(m_variant_tabs, &QTabBar::currentChanged, m_document, &ExperimentDocument::setActiveVariant);
  connect(m_schedule, &QComboBox::activated, this, [this](int index) {
    const auto kind = fromWord<ScheduleKind>(m_schedule->itemData(index).toString().toStdString());
    if (!kind) return;
    const auto variant = static_cast<std::size_t>(m_document->activeVariant());
    m_document->edit(tr("schedule %1").arg(m_schedule->itemText(index)),
                     [&](Experiment& e) { setSchedule(e, m_document->model(), *kind, e.variants[variant]); });
  });
  connect(&m_shown, &ShownRun::recordChanged, this, [this] { m_board->showRun(m_shown.record()); });
  connect(&m_shown, &ShownRun::recordChanged, this, [this] { m_bookmarks->showRun(m_shown.folder()); });
  connect(m_bookmarks, &RunBookmarks::changed, this, &MainWindow::showBookmarks);
  connect(m_bookmarks, &RunBookmarks::problem, this,
          [this](const QString& sentence) { m_messages->say(MessageStrip::Kind::Warning, sentence); });
  connect(m_timeline, &TimelineView::bookmarkRequested, this, &MainWindow::bookmarkSelection);
  connect(m_timeline, &TimelineView::selectionChanged, this, &MainWindow::updateTimelineActions);
  connect(m_runs, &RunsList::alignRequested, this, &MainWindow::alignWithRun);
  connect(m_board, &BoardView::previewChanged, m_stages, &StageSummary::showPreview);
  connect(m_board, &BoardView::previewChanged, this, [this] { raisePane("stagesDock"); });
  connect(m_board, &BoardView::previewEnded, m_stages, &StageSummary::endPreview);
  connect(m_timeline, &TimelineView::hoverChanged, m_hover, &QLabel::setText);
  connect(m_timeline, &TimelineView::findRequested, m_find, &FindStrip::open);
  connect(m_timeline, &TimelineView::searchChanged, this, &MainWindow::updateTimelineActions);
  connect(m_idle, &IdleTable::jumpRequested, this, [this](TimeRange range) {
    m_timeline->setSelection(m_aligned ? m_aligned->placed(RunSide::A, range) : range);
    m_timeline->zoomToSelection();
  });
  connect(&m_idle->strip(), &SuggestionStrip::runRequested, this, &MainWindow::runSuggestion);
  connect(&m_idle->strip(), &SuggestionStrip::whatIfRequested, this, &MainWindow::showWhatIf);
  connect(m_runs, &RunsList::openRequested, this, &MainWindow::openPath);
  connect(m_runs, &RunsList::compareRequested, this, &MainWindow::compareRuns);
  connect(m_comparison, &ComparisonView::variantActivated, this, [this](const QString& variant) {
    for (int i = 0; i < m_variant_tabs->count(); ++i)
      if (m_variant_tabs->tabData(i).toString() == variant) m_variant_tabs->setCurrentIndex(i);
  });
  connect(m_sweep, &SweepView::adviceRequested, this, [this] { startSweep(kAdvisedSplitSizes); });
  connect(m_sweep, &SweepView::sweepRequested, this, [this] { startSweep(0); });
  connect(m_sweep, &SweepView::splitSizeChosen, this, &MainWindow::useSplitSize);
  connect(m_sweep, &SweepView::variantActivated, this, [this](const QString& variant) {
    m_chosen_point = variant;
    showTrace();
  });
  connect(&m_shown, &ShownRun::traceLoaded, this, [this] { showTrace(); });
  connect(&m_shown, &ShownRun::traceMissing, this, [this] { showTrace(); });
  connect(&m_shown, &ShownRun::traceDamaged, this,
          [this](const QString& sentence) { m_messages->say(MessageStrip::Kind::Warning, sentence); });
}

void MainWindow::cyclePane(int direction) {
  std::vector<QWidget*> panes{m_board, m_timeline};
  for (auto* dock : m_docks)
    if (dock->isVisible() && !dock->visibleRegion().isEmpty()) panes.push_back(dock->widget());
  const auto focused = std::find_if(panes.begin(), panes.end(), [](const QWidget* pane) {
    return pane->hasFocus() || pane->isAncestorOf(QApplication::focusWidget());
  });
  const auto count = static_cast<int>(panes.size());
  const int from = focused == panes.end() ? (direction > 0 ? -1 : 0) : static_cast<int>(focused - panes.begin());
  for (int i = 1; i <= count; ++i)
    if (focusPane(*panes[static_cast<std::size_t>((from + direction * i + 2 * count) % count)])) return;
}

void MainWindow::showDocument() {
  showTitle();
  showVariantTabs();
  showSchedule();
  updateActions();
  showTraceHeadline(m_timeline->trace());
}

void MainWindow::showVariantTabs() {
  const QSignalBlocker quiet(m_variant_tabs);
  const auto& variants = m_document->experiment().variants;
  while (m_variant_tabs->count() > static_cast<int>(variants.size()))
    m_variant_tabs->removeTab(m_variant_tabs->count() - 1);
  for (int i = 0; i < static_cast<int>(variants.size()); ++i) {
    const QString name = QString::fromStdString(variants[static_cast<std::size_t>(i)].name);
    if (i == m_variant_tabs->count()) m_variant_tabs->addTab(QString());
    m_variant_tabs->setTabText(i, look::buttonText(name));
    m_variant_tabs->setTabData(i, name);
  }
  m_variant_tabs->setCurrentIndex(m_document->activeVariant());
}

void MainWindow::showSchedule() {
  const auto& variants = m_document->experiment().variants;
  const auto active = static_cast<std::size_t>(m_document->activeVariant());
  const bool pipeline = active < variants.size() && variants[active].strategy == Strategy::Pipeline;
  m_schedule->setEnabled(pipeline && !m_running);
  m_schedule->setToolTip(pipeline ? tr("Order in which the lanes compute the micro-batches")
                                  : tr("Only a pipeline has a schedule"));
  if (pipeline && variants[active].actions) return m_schedule->setCurrentIndex(-1);
  if (pipeline)
    m_schedule->setCurrentIndex(m_schedule->findData(QString::fromStdString(toWord(variants[active].schedule))));
}

void MainWindow::showTitle() {
  setWindowModified(!m_document->undoStack()->isClean());
  QString name = look::shownName(m_document->experiment().name);
  name.replace(QLatin1String("[*]"),
               QLatin1String("[*][*]"));  // one alone is where Qt puts the mark of unsaved changes
  setWindowTitle(tr("%1[*] - LaneLab").arg(name));
}

}  // namespace lanelab
