#include <utility>

#include "base/text.h"
#include "engine/report/mend_text.h"
#include "engine/report/recording_text.h"
#include "engine/sim/measured_costs.h"
#include "ui/look/elided_label.h"
#include "ui/look/plain_text.h"
#include "ui/window/main_window.h"
#include "ui/timeline/idle/idle_table.h"
#include "ui/timeline/idle/mend_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/run/watch_headline.h"
#include "ui/what_if/what_if_dialog.h"

namespace lanelab {

/// Worked out once a trace and off this thread: it reads the kept block times and forecasts memory.
void MainWindow::showMends(const std::shared_ptr<const Trace>& trace, const QString& variant) {
  if (trace == m_mended_trace) return;
  m_mended_trace = trace;
  m_mends.reset();
  MendStrip& strip = m_idle->strip();
  strip.setMend({}, {}, false);
  strip.setOutcome({});
  strip.setRecordingCost({}, {});
  const auto record = m_shown.record();
  if (!trace || !record) return;
  if (const VariantRecord* measured = record->find(variant.toStdString());
      measured && measured->recording && measured->recording->not_measured.empty())
    strip.setRecordingCost(tr("Recording: %1 % of a step").arg(QString::fromStdString(formatNumber(100 * measured->recording->cost_ratio, 2))),
                           tr("What the recording of this trace cost, measured by steps with and without it: %1.")
                               .arg(look::shownText(recordingCostText(*measured->recording))));
  QStringList outcomes;
  for (const std::string& note : mendNotes(*record)) outcomes << look::shownText(note);
  strip.setOutcome(outcomes.join(QLatin1Char('\n')));
  m_reader.run([this, trace, record, name = variant.toStdString(), executor = m_setup.executor]() -> Background::Then {
    auto found = std::make_shared<const Result<Mends>>(mendsOf(*record, name, *trace, *executor, ProfileStore::ofThisUser(), stepSecondsOf));
    return [this, trace, found] {
      if (trace != m_mended_trace) return;
      if (!found->ok()) return m_idle->strip().setMend(look::shownText(found->error().message), {}, false);
      m_mends = **found;
      QStringList more;
      for (const Mend& mend : m_mends->best) more << look::shownText(mend.text);
      for (const std::string& note : m_mends->notes) more << look::shownText(note);
      m_idle->strip().setMend(look::shownText(m_mends->sentence), more.join(QLatin1Char('\n')), !m_mends->best.empty());
      updateActions();
    };
  });
}

/// The mended variant goes beside the one that was measured. Where the experiment was edited since, the run's own comes back first.
void MainWindow::runMend() {
  const auto record = m_shown.record();
  if (m_running || !record || !m_mends || m_mends->best.empty()) return;
  const Mend mend = m_mends->best.front();
  if (record->experiment == m_document->experiment()) return addAndRun(mend);
  afterSaving([this, record, mend] {
    openExperiment(record->experiment, {});
    addAndRun(mend);
  });
}

void MainWindow::addAndRun(const Mend& mend) {
  m_document->edit(tr("mend: %1").arg(look::buttonText(mend.variant.mend->change)),
                   [&](Experiment& experiment) { experiment = withMend(experiment, mend); });
  const auto& variants = m_document->experiment().variants;
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (variants[i].name == mend.variant.name) m_document->setActiveVariant(static_cast<int>(i));
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
    Result<MeasuredVariant> measured =
        measuredVariant(*record, variantOnTimeline().toStdString(), *trace, *m_setup.executor, ProfileStore::ofThisUser(), stepSecondsOf);
    if (measured.ok() && measured->plan.replicas() > 1) {
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
  m_idle->strip().setMend({}, {}, false);
  m_mended_trace.reset();
  m_trace_headline->setText(tr("What if %1: %2").arg(m_replayed_words, watchHeadline(*m_replayed)));
  m_timeline->fit();
}
}  // namespace lanelab
