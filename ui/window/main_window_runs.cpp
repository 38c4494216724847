// SPDX-License-Identifier: GPL-3.0-only
#include <QLabel>
#include <QProgressBar>
#include <QTabBar>
#include <algorithm>

#include "base/text.h"
#include "engine/experiment/experiment_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/schedule/generate.h"
#include "ui/board/board_view.h"
#include "ui/board/layer_table.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/sweep_view.h"
#include "ui/device_map/device_map_dialog.h"
#include "ui/experiment/check_dialog.h"
#include "ui/experiment/cuts_dialog.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/history/runs_list.h"
#include "ui/schedule/schedule_pane.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/what_if/what_if_dialog.h"
#include "ui/window/main_window.h"

namespace lanelab {

namespace {

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString progressWords(const RunProgress& progress) {
  QStringList parts{capitalised(progress.phase)};
  if (progress.steps > 1 && progress.step > 0)
    parts.append(MainWindow::tr("step %1 of %2").arg(progress.step).arg(progress.steps));
  if (progress.images_per_second > 0)
    parts.append(MainWindow::tr("%1 images/s").arg(QString::fromStdString(formatNumber(progress.images_per_second))));
  if (const QString left = wordsForTimeLeft(progress.seconds_left); !left.isEmpty()) parts.append(left);
  return parts.join(QStringLiteral(" \u2013 "));
}

std::vector<LossView::Curve> curvesOf(const RunProgress& progress) {
  std::vector<LossView::Curve> curves;
  for (const auto& losses : progress.losses) curves.push_back({losses.variant, losses.values, losses.epochs});
  return curves;
}

}  // namespace

void MainWindow::connectController() {
  connect(m_controller, &RunController::started, this, &MainWindow::showStarted);
  connect(m_controller, &RunController::progressed, this, &MainWindow::showProgress);
  connect(m_controller, &RunController::traceGrew, this, &MainWindow::showGrownTrace);
  connect(m_controller, &RunController::warned, this,
          [this](const QString& sentence) { m_messages->say(MessageStrip::Kind::Warning, sentence); });
  connect(m_controller, &RunController::refused, this, &MainWindow::showRefused);
  connect(m_controller, &RunController::finished, this, &MainWindow::showFinished);
}

/// False while a run goes, and where the experiment has a problem, which is told.
bool MainWindow::canRun() {
  if (m_running) return false;
  if (const auto* cuts = findChild<CutsDialog*>(); cuts && cuts->measuring()) {
    m_messages->say(MessageStrip::Kind::Warning,
                    tr("The blocks are being measured, which a run would spoil. Wait, or close Where to Cut."));
    return false;
  }
  if (m_document->problems().empty()) return true;
  const auto& first = m_document->problems().front();
  m_messages->say(MessageStrip::Kind::Error,
                  tr("This cannot run yet. %1 (%2)")
                      .arg(QString::fromStdString(first.message), QString::fromStdString(first.where)));
  return false;
}

void MainWindow::startRun() {
  if (canRun() && !warnedOfMemory()) m_controller->start(m_document->resolution());
}

void MainWindow::startSweep(std::size_t best) {
  if (canRun() && hasPipeline()) m_controller->startSweep(m_document->resolution(), best);
}

bool MainWindow::hasPipeline() const {
  const auto& variants = m_document->experiment().variants;
  return std::any_of(variants.begin(), variants.end(),
                     [](const VariantConfig& variant) { return variant.strategy == Strategy::Pipeline; });
}

/// Of the pipeline that a sweep takes, the first.
void MainWindow::useSplitSize(int split_size) {
  m_document->edit(tr("split size %1").arg(split_size), [split_size](Experiment& e) {
    for (VariantConfig& variant : e.variants) {
      if (variant.strategy != Strategy::Pipeline) continue;
      variant.split_size = split_size;
      return;
    }
  });
}

/// A run that will not fit is started by the second wish only.
bool MainWindow::warnedOfMemory() {
  const Experiment& experiment = m_document->experiment();
  const Resolution& resolution = *m_document->resolution();
  if (m_warned_of == experiment || !resolution.planned().ok()) return false;
  const std::vector<std::string> warnings = memoryWarnings(resolution, m_setup.executor->devices());
  if (warnings.empty()) return false;
  m_warned_of = experiment;
  m_messages->say(MessageStrip::Kind::Warning,
                  tr("%1 Press Run again to run all the same.").arg(QString::fromStdString(warnings.front())));
  return true;
}

void MainWindow::startRunWithNewSeed() {
  if (m_running) return;
  m_document->edit(tr("new seed"), [](Experiment& e) { e.training.seed += 1; });
  startRun();
}

/// The run that is shown goes on where it stopped; its experiment comes back to the board where that was edited since.
void MainWindow::resumeRun() {
  const auto record = m_shown.record();
  if (m_running || !record) return;
  const QString folder = m_shown.folder();
  if (record->experiment == m_document->experiment()) {
    m_controller->resume(m_document->resolution(), folder);
    return;
  }
  afterSaving([this, record, folder] {
    openExperiment(record->experiment, {});
    m_controller->resume(m_document->resolution(), folder);
  });
}

void MainWindow::cancelRun() {
  if (!m_running) return;
  m_controller->cancel();
  action("cancel")->setEnabled(false);
  m_progress_words->setText(tr("Stopping after the action that computes now"));
}

std::vector<std::string> MainWindow::measuredStageTimes() const {
  const auto record = m_shown.record();
  const auto active = static_cast<std::size_t>(m_document->activeVariant());
  if (!record || active >= m_document->experiment().variants.size()) return {};
  const VariantConfig& variant = m_document->experiment().variants[active];
  const VariantRecord* measured = record->find(variant.name);
  const VariantPlan* const plan = m_document->activePlan();
  if (!measured || !measured->bound || !plan || variant.strategy != Strategy::Pipeline ||
      goesRoundTheLanes(variant.schedule))
    return {};
  return measured->bound->stages.size() == plan->stages.size() ? stageTimesText(*measured->bound)
                                                               : std::vector<std::string>{};
}

void MainWindow::useMeasuredStageTimes() {
  const auto times = measuredStageTimes();
  if (times.empty()) return;
  const auto active = static_cast<std::size_t>(m_document->activeVariant());
  m_document->edit(tr("schedule by measured stage times"), [&](Experiment& e) {
    setSchedule(e, m_document->model(), ScheduleKind::List, e.variants[active]);
    e.variants[active].stage_times = times;
  });
}

void MainWindow::setRunning(bool running) {
  if (auto* what_if = findChild<WhatIfDialog*>(); what_if && running) what_if->close();
  m_idle->strip().setReadOnly(running);
  if (auto* cuts = findChild<CutsDialog*>()) cuts->setEnabled(!running);  // measuring beside a run would spoil both
  m_running = running;
  m_board->setReadOnly(running);
  m_layers->setReadOnly(running);
  m_order->setReadOnly(running);
  m_panel->setReadOnly(running);
  m_split_size->setEnabled(!running);
  m_progress_bar->setVisible(running);
  m_timeline->setFollow(running);
  showSchedule();
  updateActions();
}

void MainWindow::showStarted(const QString& folder) {
  m_messages->clear();
  m_shown.clear();
  m_imported.reset();
  m_aligned.reset();
  m_chosen_point.clear();
  m_comparison->setRuns({});
  m_loss->setCurves({});
  m_sweep->setRun(nullptr);
  m_timeline->setTrace(nullptr);
  m_idle->setTrace(nullptr);
  m_phase.clear();
  m_progress_bar->setRange(0, 0);
  m_progress_words->setText(tr("Preparing"));
  setRunning(true);
  showTraceHeadline(nullptr);
  raisePane("lossDock");
  m_runs->select(folder);
}

void MainWindow::showProgress(const RunProgress& progress) {
  m_phase = progress.phase;
  if (action("cancel")->isEnabled()) m_progress_words->setText(progressWords(progress));
  if (progress.units > 0) {
    if (m_progress_bar->maximum() == 0) m_runs->refresh();  // its folder is there now
    m_progress_bar->setRange(0, progress.units);
    m_progress_bar->setValue(progress.unit);
  }
  m_loss->setCurves(curvesOf(progress));
}

void MainWindow::showGrownTrace(std::shared_ptr<const Trace> trace) {
  m_shown.addLive(trace);
  m_timeline->setTrace(trace);
  showTraceHeadline(trace);
  action("exportTimeline")->setEnabled(true);
  action("exportTrace")->setEnabled(true);
}

void MainWindow::showFinished(std::shared_ptr<const RunRecord> record, const QString& folder) {
  if (record->status != RunStatus::Done) followTimeline();
  m_shown.show(record, folder, m_shown.all());
  endRun();
  showComparison();
  if (record->status == RunStatus::Failed)
    m_messages->say(MessageStrip::Kind::Error, QString::fromStdString(record->error));
  if (record->status == RunStatus::Cancelled)
    m_messages->say(MessageStrip::Kind::Information,
                    tr("The run was cancelled. What was measured until then is kept."));
  m_progress_words->setText(record->status == RunStatus::Done ? tr("Done") : QString());
  updateActions();
  Q_EMIT runShown();
  if (m_close_when_ended) close();
}

void MainWindow::showRefused(const QString& sentence) {
  followTimeline();
  endRun();
  m_progress_words->clear();
  m_messages->say(MessageStrip::Kind::Error, sentence);
  if (m_close_when_ended) close();
}

/// A run that ended early may have measured nothing of the variant on the board: then the board goes to the one that
/// the timeline shows. After a whole run every variant has its trace, if only in its file.
void MainWindow::followTimeline() {
  const auto last = m_timeline->trace();
  if (!last || m_shown.trace(m_variant_tabs->tabData(m_document->activeVariant()).toString())) return;
  for (int i = 0; i < m_variant_tabs->count(); ++i)
    if (m_variant_tabs->tabData(i).toString() == QString::fromStdString(last->title)) m_document->setActiveVariant(i);
}

void MainWindow::endRun() {
  setRunning(false);
  m_runs->refresh();
  showTrace();
}

void MainWindow::showCuts() {
  if (m_running) return;
  auto* dialog = findChild<CutsDialog*>();
  if (!dialog) {
    dialog = new CutsDialog(*m_document, m_setup.executor, ProfileStore::ofThisUser(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void MainWindow::showDeviceMap() {
  auto* dialog = findChild<DeviceMapDialog*>();
  if (!dialog) {
    dialog = new DeviceMapDialog(*m_document, m_devices, m_setup.networks, m_setup.infer, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &DeviceMapDialog::placeRequested, this, [this](const Placement& placement) {
      if (!refuseWhileRunning()) m_document->setPlacement(tr("place the device map"), placement);
    });
    connect(dialog, &DeviceMapDialog::exportRequested, this, [this, dialog] { exportDeviceMap(*dialog); });
  }
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void MainWindow::checkVariants() {
  if (!canRun()) return;
  auto* dialog = new CheckDialog(m_document->resolution(), m_setup.check, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

void MainWindow::showComparison() {
  const auto record = m_shown.record();
  m_comparison->setRuns({record});
  m_loss->setCurves(lossCurves(*record));
  m_sweep->setRun(record);
  raisePane(m_sweep->hasCurve() ? "sweepDock" : "compareDock");
}

}  // namespace lanelab
