// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/change_presenter.h"

#include <QUndoStack>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_presenter.h"

namespace lanelab {
namespace {

/// The stage whose actions are all scaled, and by how much in the mean; nothing if no stage is.
struct StageFactor {
  int stage = -1;
  double factor = 1;
};
StageFactor stageFactorOf(const WhatIf& changes) {
  StageFactor found;
  double logs = 0;
  int count = 0;
  for (const ScaledSpans& spans : changes.spans) {
    if (!spans.all || spans.transfers || (found.stage >= 0 && spans.id.stage != found.stage)) continue;
    found.stage = spans.id.stage;
    logs += std::log(spans.factor);
    ++count;
  }
  if (count > 0) found.factor = std::exp(logs / count);
  return found;
}

QString nearFactorText(double factor) { return QStringLiteral("%1x").arg(QString::number(factor, 'f', 2)); }

/// "3.1 % shorter".
QString predictedStepText(double ratio) {
  const QString share = QString::number(100 * std::abs(ratio - 1), 'f', 1);
  return ratio < 1 ? ChangePresenter::tr("%1 % shorter").arg(share) : ChangePresenter::tr("%1 % longer").arg(share);
}

}  // namespace

ChangePresenter::ChangePresenter(const WindowParts& parts, TimelinePresenter* presenter, TimelineView* timeline,
                                 ChangeStrip* strip, std::shared_ptr<Executor> executor)
    : QObject(parts.window),
      m_parts(parts),
      m_presenter(presenter),
      m_timeline(timeline),
      m_strip(strip),
      m_executor(std::move(executor)) {
  TimelineChanges* const changes = &m_timeline->changes();
  changes->setMoveRule([this](const std::map<int, int>& lanes) { return answerFor(lanes); });
  connect(changes, &TimelineChanges::pendingChanged, this, &ChangePresenter::showSetting);
  connect(m_parts.document, &ExperimentDocument::changed, this, &ChangePresenter::showSetting);
  connect(m_strip, &ChangeStrip::doItRequested, this, &ChangePresenter::doIt);
  connect(m_timeline, &TimelineView::doItRequested, this, &ChangePresenter::doIt);
}

const ResolvedVariant* ChangePresenter::measuredPlan() {
  const FinishedVariant* const finished = finishedVariant(m_presenter->shown());
  if (!finished || !finished->record) return nullptr;
  if (std::exchange(m_record, finished->record) != finished->record)
    m_resolution = resolve(m_record->experiment, m_presenter->knownModel());
  const ResolvedVariant* const variant = m_resolution->find(finished->variant.toStdString());
  return variant && variant->plan().ok() ? variant : nullptr;
}

/// Of a trace without its experiment nobody knows better than the order that was measured.
TimelineChanges::MoveAnswer ChangePresenter::answerFor(const std::map<int, int>& lanes) {
  const ResolvedVariant* const variant = measuredPlan();
  if (!variant) return {};
  Result<MovedStages> moved = movedStages(*variant, lanes);
  if (!moved.ok()) return {look::shownText(moved.error()), {}};
  return {{}, std::move(moved->order)};
}

QString ChangePresenter::whyNotSet() const {
  const FinishedVariant* const finished = finishedVariant(m_presenter->shown());
  if (!finished || !finished->record) return tr("The experiment of this trace is not known, so it cannot be changed.");
  if (m_parts.controller->running()) return tr("The experiment cannot be changed during a run.");
  if (m_parts.run->isViewed()) return tr("A stored run is viewed. Choose Use as Experiment, then change its timeline.");
  const Experiment &run = finished->record->experiment, &now = m_parts.document->experiment();
  const std::string name = finished->variant.toStdString();
  const auto isNamed = [&](const VariantConfig& variant) { return variant.name == name; };
  const auto ran = std::ranges::find_if(run.variants, isNamed), is = std::ranges::find_if(now.variants, isNamed);
  if (is == now.variants.end()) return tr("The open experiment has no variant %1.").arg(look::shownName(name));
  if (ran == run.variants.end() || !(*ran == *is) || !(run.model == now.model) || !(run.lanes == now.lanes))
    return tr("The experiment was edited since this run. Run it again, then change the new timeline.");
  return {};
}

void ChangePresenter::showSetting() {
  m_search.cancel();
  m_edit.reset();
  const TimelineChanges& changes = m_timeline->changes();
  if (!changes.isPending()) return;
  if (const QString why = whyNotSet(); !why.isEmpty()) return refuse(why);
  if (!changes.changes().lanes.empty()) return showMove(changes.changes());
  if (stageFactorOf(changes.changes()).stage < 0)
    return refuse(tr("No setting of the experiment changes one action or transfer alone."));
  searchNearest(changes.changes());
}

void ChangePresenter::showMove(const WhatIf& changes) {
  const ResolvedVariant* const variant = measuredPlan();
  if (!variant) return refuse(tr("The experiment of this trace is not known, so it cannot be changed."));
  Result<MovedStages> moved = movedStages(*variant, changes.lanes);
  if (!moved.ok()) return refuse(look::shownText(moved.error()));
  QStringList stages;
  for (const auto& [stage, lane] : changes.lanes) {
    const LaneInfo& info = m_timeline->trace()->lanes[static_cast<std::size_t>(lane)];
    stages << tr("stage %1 to %2").arg(stage).arg(look::shownName(info.name.empty() ? info.device : info.name));
  }
  const QString text = tr("move %1").arg(stages.join(QStringLiteral(", ")));
  offer({std::move(moved->variant), text},
        {changes.spans.empty() ? QString() : tr("The experiment has no setting for lengths; the lanes can be set."),
         tr("&Do It"), tr("Edit the experiment: %1 (Enter)").arg(text)});
}

void ChangePresenter::searchNearest(const WhatIf& changes) {
  const FinishedVariant finished = *finishedVariant(m_presenter->shown());
  const StageFactor wanted = stageFactorOf(changes);
  m_strip->setSetting({tr("Looking for the setting that comes nearest..."), {}, {}});
  m_search.ask([this, finished, wanted, executor = m_executor,
                known = m_presenter->knownModel()](const std::stop_token&) -> Background::Then {
    const Result<MeasuredVariant> measured =
        measuredVariant(*finished.record, finished.variant.toStdString(), *finished.trace, *executor,
                        ProfileStore::ofThisUser(), known);
    const Result<std::optional<NearestMove>> found =
        measured.ok() ? Result<std::optional<NearestMove>>(nearestMove(*measured, wanted.stage, wanted.factor))
                      : Result<std::optional<NearestMove>>(measured.error());
    return [this, wanted, found] { showNearest(wanted.stage, wanted.factor, found); };
  });
}

void ChangePresenter::showNearest(int stage, double factor, const Result<std::optional<NearestMove>>& found) {
  const QString none = tr("No setting of the experiment makes just this.");
  if (!found.ok()) return refuse(none + QLatin1Char(' ') + look::shownText(found.error()));
  if (!*found)
    return refuse(
        tr("%1 No move of blocks brings stage %2 nearer to %3.").arg(none).arg(stage).arg(nearFactorText(factor)));
  const NearestMove& nearest = **found;
  const QString words = look::shownText(nearest.move.words);
  offer({nearest.move.variant, words}, {tr("%1 Nearest: %2 (stage %3 %4, step predicted %5).")
                                            .arg(none, words)
                                            .arg(stage)
                                            .arg(nearFactorText(nearest.factor), predictedStepText(nearest.step_ratio)),
                                        tr("&Do the Nearest"), tr("Edit the experiment: %1 (Enter)").arg(words)});
}

void ChangePresenter::offer(Edit edit, const ChangeStrip::Setting& setting) {
  m_edit = std::move(edit);
  m_strip->setSetting(setting);
}

void ChangePresenter::refuse(const QString& sentence) { m_strip->setSetting({sentence, {}, {}}); }

void ChangePresenter::doIt() {
  if (!m_edit || !whyNotSet().isEmpty()) return;
  const Edit edit = *std::exchange(m_edit, std::nullopt);
  m_timeline->changes().restore();
  m_parts.document->activateVariant(QString::fromStdString(edit.variant.name));
  m_parts.document->edit(edit.text, [this, &edit](Experiment& experiment) {
    if (VariantConfig* const variant = m_parts.document->activeIn(experiment)) *variant = edit.variant;
  });
  m_parts.messages->offer(tr("%1: done. Run the experiment to measure it.").arg(look::capitalised(edit.text)),
                          {{tr("Un&do"), [this] { m_parts.document->undoStack()->undo(); }}});
}

}  // namespace lanelab
