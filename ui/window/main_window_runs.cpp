// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/suggestions.h"
#include "profiler/io/import/trace_import.h"
#include "ui/board/board_view.h"
#include "ui/board/layer_table.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/sweep_view.h"
#include "ui/curve/curve_work.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/measured_edits.h"
#include "ui/first_steps/first_minute.h"
#include "ui/first_steps/lesson_pane.h"
#include "ui/first_steps/welcome_strip.h"
#include "ui/history/runs_comparison.h"
#include "ui/history/runs_list.h"
#include "ui/levels/level_pane.h"
#include "ui/levels/schedule_stack.h"
#include "ui/look/plain_text.h"
#include "ui/overlay/overlay_dialog.h"
#include "ui/schedule/schedule_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/watch/timeline_comparison.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/watch/what_if_replay.h"
#include "ui/window/board_dialogs.h"
#include "ui/window/exports.h"
#include "ui/window/main_window.h"
#include "ui/window/pane_layout.h"
#include "ui/window/progress_line.h"
#include "ui/window/run_starter.h"
#include "ui/window/timeline_actions.h"
#include "ui/window/variant_controls.h"
#include "ui/window/viewed_run_bar.h"

namespace lanelab {

namespace {

std::vector<LossView::Curve> curvesOf(const RunProgress& progress) {
  std::vector<LossView::Curve> curves;
  for (const auto& losses : progress.losses) curves.push_back({losses.variant, losses.values, losses.epochs});
  return curves;
}

}  // namespace

void MainWindow::connectRuns() {
  connect(m_controller, &RunController::started, this, &MainWindow::showStarted);
  connect(m_controller, &RunController::progressed, this, &MainWindow::showProgress);
  connect(m_controller, &RunController::traceGrew, this, &MainWindow::showLive);
  connect(m_controller, &RunController::warned, m_messages, &MessageStrip::warn);
  connect(m_controller, &RunController::refused, this, &MainWindow::showRefused);
  connect(m_controller, &RunController::finished, this, &MainWindow::showFinished);
  connect(&m_run, &ShownRun::traceDamaged, m_messages, &MessageStrip::warn);
  connect(m_progress, &ProgressLine::firstUnitStarted, m_runs, &RunsList::refresh);
  connect(m_run_starter, &RunStarter::stopping, m_progress, &ProgressLine::setStopping);
  connect(m_run_starter, &RunStarter::stopping, this, &MainWindow::updateActions);
  connect(m_run_starter, &RunStarter::sweepStarting, this, [this] { m_panes->show("sweepDock"); });
  connect(m_idle, &IdleTable::importExplained, this, &MainWindow::showImportSentences);
  connect(m_run_starter, &RunStarter::waitingChanged, this, &MainWindow::updateActions);
  connect(m_sweep, &SweepView::adviceRequested, m_run_starter, &RunStarter::startAdvice);
  connect(m_sweep, &SweepView::sweepRequested, m_run_starter, &RunStarter::startSweep);
  connect(m_sweep, &SweepView::splitSizeChosen, this, [this](int size) {
    if (m_viewed->isViewing()) closeViewed();  // what is edited is to be seen
    useSplitSize(*m_document, size);
  });
  connect(m_sweep, &SweepView::variantActivated, m_presenter, &TimelinePresenter::showVariant);
  connect(m_comparison, &ComparisonView::variantActivated, this, [this](const QString& variant) {
    // That of a viewed run may be none of the open experiment's.
    if (m_run.isViewed()) return m_presenter->showVariant(variant);
    m_document->activateVariant(variant);
  });
  connect(&m_schedule_stack->levels(), &LevelPane::runRequested, m_run_starter, &RunStarter::startOther);
  connect(&m_idle->strip(), &SuggestionStrip::runRequested, this, &MainWindow::runSuggestion);
  connect(&m_idle->strip(), &SuggestionStrip::sizesRequested, m_run_starter, &RunStarter::startAdvice);
  connect(&m_idle->strip(), &SuggestionStrip::whatIfRequested, m_what_if, &WhatIfReplay::open);
}

void MainWindow::connectFiles() {
  connect(m_runs, &RunsList::openRequested, m_file_opener, &FileOpener::openPath);
  connect(m_runs, &RunsList::compareRequested, m_file_opener, &FileOpener::openRuns);
  connect(m_runs, &RunsList::overlayRequested, this,
          [this](const std::vector<RunEntry>& runs) { (new OverlayDialog(runs, this))->show(); });
  connect(m_runs, &RunsList::alignRequested, m_compared, &TimelineComparison::alignWithRun);
  connect(m_runs, &RunsList::useRequested, m_file_opener, &FileOpener::useRun);
  connect(m_runs, &RunsList::failed, m_messages, &MessageStrip::reportError);
  connect(m_runs, &RunsList::done, this, [this](const QString& sentence) {
    if (m_messages->kind() == MessageStrip::Kind::Information) m_messages->clear();
    m_messages->inform(sentence);
  });
  connect(m_runs, &RunsList::deleted, this, [this](const QString& sentence) {
    m_messages->offer(sentence, {{tr("Un&do"), [this] { m_runs->undoDelete(); }}});
    m_curve->lookAtRuns();
  });
  connect(m_runs, &RunsList::restored, m_curve, &CurveWork::lookAtRuns);
  connect(m_file_opener, &FileOpener::runImported, m_curve, &CurveWork::lookAtRuns);
  connect(m_file_opener, &FileOpener::runOpened, this, &MainWindow::showViewed);
  connect(m_file_opener, &FileOpener::runUsed, this, &MainWindow::showUsed);
  const auto show_variant = [this] {
    if (const FinishedVariant* const shown = finishedVariant(m_presenter->shown()))
      m_viewed->showVariant(shown->variant);
  };
  connect(&m_run, &ShownRun::recordChanged, this, [this, show_variant] {
    m_viewed->showRun(m_run);
    show_variant();
  });
  connect(m_presenter, &TimelinePresenter::changed, this, show_variant);
  connect(m_viewed, &ViewedRunBar::viewingChanged, this, &MainWindow::showContext);
  connect(m_viewed, &ViewedRunBar::variantChosen, m_presenter, &TimelinePresenter::showVariant);
  connect(m_viewed, &ViewedRunBar::useRequested, this, [this] { m_file_opener->useRun(m_run.folder()); });
  connect(m_viewed, &ViewedRunBar::closeRequested, this, &MainWindow::closeViewed);
  connect(m_file_opener, &FileOpener::traceOpened, this, &MainWindow::showImported);
  connect(m_file_opener, &FileOpener::experimentOpened, this, [this] {
    m_progress->setEnded({});
    m_own = {};
    clearCharts();
  });
  connect(m_file_opener, &FileOpener::runsOpened, this, &MainWindow::showSeveral);
  connect(m_first_minute, &FirstMinute::recordedOpened, this, &MainWindow::showRecorded);
  connect(m_welcome, &WelcomeStrip::runRequested, action("run"), &QAction::trigger);
  connect(m_welcome, &WelcomeStrip::networkRequested, action("importModel"), &QAction::trigger);
  connect(m_welcome, &WelcomeStrip::traceRequested, action("openTrace"), &QAction::trigger);
  connect(m_welcome, &WelcomeStrip::lessonsRequested, this, [this] { m_panes->show("lessonsDock"); });
  if (m_lessons) connect(m_lessons, &LessonPane::buildRequested, action("buildSchedule"), &QAction::trigger);
  connect(m_welcome, &WelcomeStrip::closeRequested, this, &MainWindow::closeViewed);
  connect(m_runs, &RunsList::shareRequested, m_exports, &Exports::shareRun);
}

void MainWindow::setReadOnly(bool read_only) {
  m_dialogs->setReadOnly(read_only);
  m_board->setReadOnly(read_only);
  m_layers->setReadOnly(read_only);
  m_schedule_pane->setReadOnly(read_only);
  m_schedule_stack->levels().setRunning(read_only);
  m_panel->setReadOnly(read_only);
  m_split_size->setEnabled(!read_only);
  m_schedule->setReadOnly(read_only);
  m_curve->setReadOnly(read_only);
  updateActions();
}

/// What edits the open experiment is of no use beside the figures of another.
void MainWindow::showContext() {
  const bool viewing = m_viewed->isViewing();
  m_place->setVisible(!viewing);
  for (QWidget* const part : std::initializer_list<QWidget*>{m_panel, m_stages, m_schedule_pane, m_layers, m_memory,
                                                             m_split_size->parentWidget(), m_schedule->parentWidget()})
    part->setEnabled(!viewing);
  updateActions();
}

void MainWindow::clearCharts() {
  m_loss->setEmptyText({});
  m_comparison->setRuns({});
  m_loss->setCurves({});
  m_sweep->setRun(nullptr);
}

void MainWindow::showComparison() {
  const auto record = m_run.record();
  m_comparison->setRuns({record});
  m_loss->setEmptyText(tr("This run has no losses: no step of it ended."));
  m_loss->setCurves(lossCurves(*record), QString::fromStdString(toJson(record->experiment)));
  m_sweep->setRun(record);
  m_panes->announce(m_sweep->hasCurve() ? "sweepDock" : "compareDock");
}

void MainWindow::showStarted(const QString& folder) {
  if (!m_run_starter->isFromQueue()) m_messages->clear();
  m_run.clear();
  clearCharts();
  m_loss->setEmptyText(tr("The run has not completed a step yet. The loss of each step appears here."));
  m_progress->setPreparing();
  m_presenter->show(LiveRun{});
  setReadOnly(true);
  m_panes->announce("lossDock");
  m_runs->select(folder);
}

void MainWindow::showProgress(const RunProgress& progress) {
  m_progress->show(progress);
  markRunning(*m_variant_tabs, progress.variant);
  m_presenter->showActivity(progress);
  m_loss->setCurves(curvesOf(progress));
}

void MainWindow::showLive(const std::shared_ptr<const Trace>& trace, const QString& unit) {
  m_run.addLive(trace);
  m_presenter->showLive(trace, unit);
}

void MainWindow::showFinished(std::shared_ptr<const RunRecord> record, const QString& folder) {
  markRunning(*m_variant_tabs, {});
  m_own = {record, folder};
  m_run.show(record, folder, m_run.all());
  m_presenter->endRun(/*follow=*/record->status != RunStatus::Done);
  setReadOnly(false);
  m_board->lookForBlockTimes();  // a sweep measures blocks
  m_curve->lookAtRuns();
  m_runs->refresh();
  showComparison();
  if (record->status == RunStatus::Failed) m_messages->reportError(QString::fromStdString(record->error));
  if (record->status == RunStatus::Cancelled)
    m_messages->inform(tr("The run was cancelled. Completed measurements are stored."));
  m_progress->setEnded(record->status == RunStatus::Done ? tr("Done") : QString());
  updateActions();
  Q_EMIT runShown();
  if (m_close_when_ended) close();
}

void MainWindow::showRefused(const QString& sentence) {
  markRunning(*m_variant_tabs, {});
  m_presenter->endRun(/*follow=*/true);
  setReadOnly(false);
  m_board->lookForBlockTimes();
  m_runs->refresh();
  m_progress->setEnded({});
  m_messages->reportError(sentence);
  if (m_close_when_ended) close();
}

void MainWindow::showViewed(std::shared_ptr<const RunRecord> record, const QString& folder, const QString& name) {
  m_messages->clear();
  m_run.view(std::move(record), folder, name);
  showStored();
}

void MainWindow::showUsed(std::shared_ptr<const RunRecord> record, const QString& folder) {
  m_own = {record, folder};
  m_run.show(std::move(record), folder);
  showStored();
}

/// As if the open experiment had run, but for what would take its times for those of this machine.
void MainWindow::showRecorded(std::shared_ptr<const RunRecord> record, const QString& folder) {
  m_run.showRecorded(std::move(record), folder);
  showStored();
}

/// The last run of the open experiment is shown again, if there was one.
void MainWindow::closeViewed() {
  m_messages->clear();
  if (m_own.record) {
    m_run.show(m_own.record, m_own.folder);
    return showStored();
  }
  m_run.clear();
  clearCharts();
  updateActions();
}

void MainWindow::showStored() {
  const auto record = m_run.record();
  if (!record->error.empty())
    m_messages->say(record->status == RunStatus::Failed ? MessageStrip::Kind::Error : MessageStrip::Kind::Information,
                    QString::fromStdString(record->error));
  showComparison();
  m_runs->select(m_run.folder());
  updateActions();
  Q_EMIT runShown();
}

/// Two runs in a window of their own as well, with the settings that differ.
void MainWindow::showSeveral(const std::vector<NamedRun>& runs) {
  std::vector<std::shared_ptr<const RunRecord>> records;
  for (const NamedRun& run : runs) records.push_back(std::make_shared<const RunRecord>(run.record));
  m_comparison->setRuns(std::move(records));
  m_panes->show("compareDock");
  if (runs.size() == 2) (new RunsComparison(runs.front(), runs.back(), this))->show();
}

/// Takes the place of a shown run.
void MainWindow::showImported(std::shared_ptr<const ImportedTrace> imported, const QString& path) {
  m_messages->clear();
  m_run.clear();
  clearCharts();
  m_import_remarks.clear();
  if (const std::int64_t lost = lostEvents(imported->counts); lost > 0)
    m_import_remarks << tr("%n event(s) of this file could not be used; lanelab-cli import lists them by kind.",
                           nullptr, static_cast<int>(lost));
  for (const std::string& remark : imported->counts.remarks) m_import_remarks << look::shownText(remark);
  if (!m_import_remarks.isEmpty()) m_messages->warn(m_import_remarks.join(QLatin1Char(' ')));
  m_presenter->show(ImportedFile{std::move(imported), path});
  m_viewed->showTrace(path);
  m_runs->select({});
  updateActions();
  m_panes->announce("idleDock");
}

/// Behind what was said of the file itself.
void MainWindow::showImportSentences(const QString& sentences) {
  if (sentences.isEmpty()) return;
  const bool lossless = m_import_remarks.isEmpty();
  m_messages->say(lossless ? MessageStrip::Kind::Information : MessageStrip::Kind::Warning,
                  (m_import_remarks + QStringList{sentences}).join(QLatin1Char(' ')));
}

void MainWindow::runSuggestion() {
  if (const Suggestion* const best = m_presenter->suggestion()) m_run_starter->startSuggested(Suggestion(*best));
}

}  // namespace lanelab
