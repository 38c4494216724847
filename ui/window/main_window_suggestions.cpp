// SPDX-License-Identifier: GPL-3.0-only
#include <utility>

#include "base/text.h"
#include "engine/report/recording_text.h"
#include "engine/report/run_notes.h"
#include "engine/sim/measured_costs.h"
#include "ui/look/elided_label.h"
#include "ui/look/plain_text.h"
#include "ui/run/watch_headline.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/suggestion_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/what_if/what_if_dialog.h"
#include "ui/window/main_window.h"

namespace lanelab {

/// Worked out once a trace and off this thread: it reads the kept block times and forecasts memory.
void MainWindow::showSuggestions(const std::shared_ptr<const Trace>& trace, const QString& variant) {
  if (trace == m_suggested_trace) return;
  m_suggested_trace = trace;
  m_suggestions.reset();
  SuggestionStrip& strip = m_idle->strip();
  strip.setSuggestion({}, {}, false);
  strip.setOutcome({});
  strip.setRecordingCost({}, {});
  const auto record = m_shown.record();
  if (!trace || !record) return;
  if (const VariantRecord* measured = record->find(variant.toStdString());
      measured && measured->recording && measured->recording->not_measured.empty())
    strip.setRecordingCost(tr("Recording: %1 % of a step")
                               .arg(QString::fromStdString(formatNumber(100 * measured->recording->cost_ratio, 2))),
                           tr("What the recording of this trace cost, measured by steps with and without it: %1.")
                               .arg(look::shownText(recordingCostText(*measured->recording))));
  QStringList outcomes;
  for (const std::string& note : noteSentences(runNotes(*record), {RunNote::Kind::Suggestion}))
    outcomes << look::shownText(note);
  strip.setOutcome(outcomes.join(QLatin1Char('\n')));
  m_reader.run([this, trace, record, name = variant.toStdString(), executor = m_setup.executor]() -> Background::Then {
    auto found = std::make_shared<const Result<Suggestions>>(
        suggestionsOf(*record, name, *trace, *executor, ProfileStore::ofThisUser(), stepSecondsOf));
    return [this, trace, found] {
      if (trace != m_suggested_trace) return;
      if (!found->ok()) return m_idle->strip().setSuggestion(look::shownText(found->error().message), {}, false);
      m_suggestions = **found;
      QStringList more;
      for (const Suggestion& suggestion : m_suggestions->best) more << look::shownText(suggestion.text);
      for (const std::string& note : m_suggestions->notes) more << look::shownText(note);
      m_idle->strip().setSuggestion(look::shownText(m_suggestions->sentence), more.join(QLatin1Char('\n')),
                                    !m_suggestions->best.empty());
      updateActions();
    };
  });
}

/// The suggested variant goes beside the one that was measured. Where the experiment was edited since, the run's own
/// comes back first.
void MainWindow::runSuggestion() {
  const auto record = m_shown.record();
  if (m_running || !record || !m_suggestions || m_suggestions->best.empty()) return;
  const Suggestion suggestion = m_suggestions->best.front();
  if (record->experiment == m_document->experiment()) return addAndRun(suggestion);
  afterSaving([this, record, suggestion] {
    openExperiment(record->experiment, {});
    addAndRun(suggestion);
  });
}

void MainWindow::addAndRun(const Suggestion& suggestion) {
  m_document->edit(tr("mend: %1").arg(look::buttonText(suggestion.variant.suggested_from->change)),
                   [&](Experiment& experiment) { experiment = withSuggestion(experiment, suggestion); });
  const auto& variants = m_document->experiment().variants;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == suggestion.variant.name) m_document->setActiveVariant(static_cast<int>(i));
  startRun();
}

void MainWindow::showWhatIf() {
  const auto trace = m_imported ? m_imported->trace : m_shown.trace(variantOnTimeline());
  if (m_running || !trace) return;
  auto* dialog = findChild<WhatIfDialog*>();
  if (!dialog) {
    dialog = new WhatIfDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &WhatIfDialog::showRequested, this, &MainWindow::showReplayed);
    connect(dialog, &WhatIfDialog::restoreRequested, this, [this] { showReplayed(nullptr, {}); });
  }
  QString why_not = tr("The number of micro-batches can be changed for runs of LaneLab only");
  std::optional<MeasuredVariant> known;
  if (const auto record = m_shown.record()) {
    Result<MeasuredVariant> measured = measuredVariant(*record, variantOnTimeline().toStdString(), *trace,
                                                       *m_setup.executor, ProfileStore::ofThisUser(), stepSecondsOf);
    if (measured.ok() && measured->plan().replicas() > 1) {
      why_not = tr("The number of micro-batches can be changed for pipelines only, and these lanes are replicas");
    } else if (measured.ok()) {
      known = std::move(*measured);
    } else {
      why_not = look::shownText(measured.error().message);
    }
  }
  dialog->setTrace(trace, std::move(known), why_not);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

/// Null: what was measured again.
void MainWindow::showReplayed(std::shared_ptr<const Trace> trace, const QString& words) {
  if (m_running || (!trace && !m_replayed)) return;
  m_replayed = std::move(trace);
  m_replayed_words = words;
  if (!m_replayed) return showTrace();
  m_timeline->setTrace(m_replayed);
  m_timeline->setPrediction(nullptr);
  m_predicted_trace.reset();
  m_idle->setTrace(m_replayed);
  m_idle->strip().setSuggestion({}, {}, false);
  m_suggested_trace.reset();
  m_trace_headline->setText(tr("What if %1: %2").arg(m_replayed_words, watchHeadline(*m_replayed)));
  m_timeline->fit();
}
}  // namespace lanelab
