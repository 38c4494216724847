// SPDX-License-Identifier: GPL-3.0-only
#include <QFileInfo>
#include <QTabBar>
#include <utility>

#include "engine/advise/sweep.h"
#include "profiler/io/import/trace_import.h"
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"
#include "ui/charts/sweep_view.h"
#include "ui/look/elided_label.h"
#include "ui/look/plain_text.h"
#include "ui/watch/watch_headline.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/what_if/predicted_step.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// The board's variant, unless a point of a sweep was chosen or the run knows only other ones: then the fastest of
/// them.
QString MainWindow::variantOnTimeline() const {
  if (!m_chosen_point.isEmpty()) return m_chosen_point;
  const QString active = m_variant_tabs->tabData(m_document->activeVariant()).toString();
  const auto record = m_shown.record();
  if (!record || record->find(active.toStdString())) return active;
  const std::vector<SweepPoint> points = sweepPoints(*record);
  const SweepPoint* const best = fastestMeasured(points);
  return best ? QString::fromStdString(best->variant) : active;
}

/// Takes the place of a shown run. Threads and operators are details elsewhere; of another program they are what there
/// is.
void MainWindow::showImported(std::shared_ptr<const ImportedTrace> imported, const QString& path) {
  m_messages->clear();
  m_shown.clear();
  m_comparison->setRuns({});
  m_loss->setCurves({});
  m_sweep->setRun(nullptr);
  m_imported = std::move(imported);
  m_imported_from = QFileInfo(path).fileName();
  if (!m_imported->declared) showImportedRows();
  m_bookmarks->showFile(QFileInfo(path).absoluteFilePath());
  if (const std::int64_t lost = lostEvents(m_imported->counts); lost > 0)
    m_messages->say(MessageStrip::Kind::Warning,
                    tr("%n event(s) of this file could not be used; lanelab-cli import lists them by kind.", nullptr,
                       static_cast<int>(lost)));
  showTrace();
  raisePane("idleDock");
}

/// What is drawn stays until the trace that replaces it is there: a file is read off this thread, and an empty timeline
/// would flash up meanwhile.
void MainWindow::showTrace() {
  if (m_running) return;
  m_replayed.reset();
  if (m_shown.record()) m_imported.reset();
  if (m_imported) {
    if (m_imported->trace != m_timeline->trace()) m_timeline->setTrace(m_imported->trace);
    m_timeline->setImported(m_imported);
    m_idle->setImported(m_imported);
    showSuggestions(m_imported->trace, {});
    m_trace_headline->setText(tr("%1, imported: %2 spans, %3 flows (%4)")
                                  .arg(look::shownName(m_imported_from), QString::number(m_imported->counts.spans),
                                       QString::number(m_imported->counts.flows), look::shownName(m_imported->format)));
    m_aligned.reset();
    showBookmarks();
    updateActions();
    return;
  }
  const QString variant = variantOnTimeline();
  const auto trace = m_shown.trace(variant);
  if (!trace && m_shown.reads(variant)) return;
  const auto record = m_shown.record();
  m_timeline->setFailure(record ? look::shownText(record->error) : QString());
  if (m_aligned && m_aligned_first == trace)
    return showTraceHeadline(trace);  // two runs stay together until another one is shown
  m_aligned.reset();
  if (trace != m_timeline->trace()) m_timeline->setTrace(trace);
  showPrediction(trace, variant);
  m_idle->setTrace(trace);
  showSuggestions(trace, variant);
  showTraceHeadline(trace);
  showBookmarks();
  updateActions();
}

void MainWindow::showTraceHeadline(const std::shared_ptr<const Trace>& trace) {
  if (m_running) {
    m_trace_headline->setText(trace ? tr("%1, live: %2").arg(look::shownName(trace->title), m_phase)
                                    : tr("Preparing the run"));
    return;
  }
  if (!trace) {
    m_trace_headline->clear();
    return;
  }
  if (m_aligned) return m_trace_headline->setText(m_aligned_headline);
  if (std::exchange(m_reported, trace) != trace) m_reported_headline = watchHeadline(*trace);
  QString text = m_reported_headline;
  if (m_shown.record() && m_shown.record()->experiment != m_document->experiment())
    text += tr(" \u2013 before your last edits");
  m_trace_headline->setText(text);
}

/// Worked out once a trace: it reads the kept block times.
void MainWindow::showPrediction(const std::shared_ptr<const Trace>& trace, const QString& variant) {
  const auto record = m_shown.record();
  if (!trace || !record || trace == m_predicted_trace) return;
  m_predicted_trace = trace;
  m_timeline->setPrediction(
      predictedStep(*record, variant.toStdString(), m_controller->executor(), ProfileStore::ofThisUser()));
}
}  // namespace lanelab
