// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/what_if_replay.h"

#include <QWidget>
#include <optional>

#include "engine/advise/suggestions.h"
#include "ui/look/plain_text.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {

namespace {

std::optional<MeasuredTrace> measuredBehind(const ShownTrace& shown) {
  if (const ImportedFile* const file = importedFile(shown)) return *file;
  const FinishedVariant* const finished = finishedVariant(shown);
  return finished && finished->trace ? std::optional<MeasuredTrace>(*finished) : std::nullopt;
}

}  // namespace

WhatIfReplay::WhatIfReplay(TimelinePresenter* presenter, std::shared_ptr<Executor> executor, QWidget* window)
    : QObject(window), m_presenter(presenter), m_executor(std::move(executor)), m_window(window) {
  connect(m_presenter, &TimelinePresenter::changed, this, [this] {
    if (m_dialog && m_presenter->isLive()) m_dialog->close();
  });
}

bool WhatIfReplay::isPossible() const { return measuredBehind(m_presenter->shown()).has_value(); }

void WhatIfReplay::open() {
  const std::optional<MeasuredTrace> measured = measuredBehind(m_presenter->shown());
  if (!measured) return;
  if (!m_dialog) makeDialog();
  askAbout(*measured);
  m_dialog->show();
  m_dialog->raise();
  m_dialog->activateWindow();
}

void WhatIfReplay::makeDialog() {
  m_dialog = new WhatIfDialog(m_window);
  m_dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(m_dialog, &WhatIfDialog::showRequested, this, &WhatIfReplay::show);
  connect(m_dialog, &WhatIfDialog::restoreRequested, this, [this] {
    if (std::holds_alternative<ReplayedSteps>(m_presenter->shown())) m_presenter->showMeasured();
  });
}

void WhatIfReplay::askAbout(const MeasuredTrace& measured) {
  if (const auto* file = std::get_if<ImportedFile>(&measured); file || !std::get<FinishedVariant>(measured).record) {
    const auto trace = file ? file->imported->trace : std::get<FinishedVariant>(measured).trace;
    return m_dialog->setTrace(trace, std::nullopt,
                              tr("The number of micro-batches can be changed for runs of LaneLab only"));
  }
  const auto& finished = std::get<FinishedVariant>(measured);
  Result<MeasuredVariant> known = measuredVariant(*finished.record, finished.variant.toStdString(), *finished.trace,
                                                  *m_executor, ProfileStore::ofThisUser(), m_presenter->knownModel());
  if (!known.ok()) return m_dialog->setTrace(finished.trace, std::nullopt, look::shownText(known.error()));
  if (known->plan().replicas() > 1)
    return m_dialog->setTrace(
        finished.trace, std::nullopt,
        tr("The number of micro-batches can be changed for pipelines only, and these lanes are replicas"));
  m_dialog->setTrace(finished.trace, std::move(*known), {});
}

void WhatIfReplay::show(std::shared_ptr<const Trace> trace, const QString& words) {
  if (const auto measured = measuredBehind(m_presenter->shown()))
    m_presenter->show(ReplayedSteps{*measured, std::move(trace), words});
}

}  // namespace lanelab
