// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/suggestion_presenter.h"

#include <QStringList>

#include "base/text.h"
#include "engine/report/run_notes.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/idle/suggestion_strip.h"

namespace lanelab {

SuggestionPresenter::SuggestionPresenter(SuggestionStrip* strip, const ExperimentDocument* document,
                                         std::shared_ptr<Executor> executor, QObject* parent)
    : QObject(parent), m_strip(strip), m_document(document), m_executor(std::move(executor)) {}

void SuggestionPresenter::clear() {
  withdraw();
  m_strip->setOutcome({});
  m_strip->setRecordingCost({}, {});
}

void SuggestionPresenter::show(const FinishedVariant& measured) {
  if (measured == m_measured) return;
  clear();
  if (!measured.trace || !measured.record) return;
  m_measured = measured;
  showRecordingCost();
  showOutcomes();
  search();
}

void SuggestionPresenter::withdraw() {
  m_measured.reset();
  m_suggestions.reset();
  m_strip->offerSizes(false);
  m_strip->setSuggestion({}, {}, false);
}

const Suggestion* SuggestionPresenter::best() const {
  return m_suggestions && !m_suggestions->best.empty() ? &m_suggestions->best.front() : nullptr;
}

void SuggestionPresenter::showRecordingCost() {
  const VariantRecord* const variant = m_measured->record->find(m_measured->variant.toStdString());
  if (!variant || !variant->recording || !variant->recording->not_measured.empty()) return;
  const RecordingCost& cost = *variant->recording;
  m_strip->setRecordingCost(
      tr("Recording: %1 % of a step").arg(QString::fromStdString(formatNumber(100 * cost.cost_ratio, 2))),
      tr("Cost of recording this trace, measured by steps with and without it: %1.")
          .arg(look::shownText(recordingCostText(cost))));
}

void SuggestionPresenter::showOutcomes() {
  QStringList outcomes;
  for (const Message& note : noteMessages(runNotes(*m_measured->record), {RunNote::Kind::Suggestion}))
    outcomes << look::shownText(note);
  m_strip->setOutcome(outcomes.join(QLatin1Char('\n')));
}

void SuggestionPresenter::search() {
  m_background.run(
      [this, of = *m_measured, executor = m_executor, known = m_document->resolution()->known()]() -> Background::Then {
        auto result = std::make_shared<const Result<Suggestions>>(suggestionsOf(
            *of.record, of.variant.toStdString(), *of.trace, *executor, ProfileStore::ofThisUser(), known));
        return [this, of, result] { showFound(of, *result); };
      });
}

void SuggestionPresenter::showFound(const FinishedVariant& of, const Result<Suggestions>& result) {
  if (of != m_measured) return;  // another one is shown by now
  if (!result.ok()) return m_strip->setSuggestion(look::shownText(result.error()), {}, false);
  m_suggestions = *result;
  QStringList more;
  for (const Suggestion& suggestion : m_suggestions->best)
    if (suggestion.text.message != m_suggestions->sentence.message) more << look::shownText(suggestion.text);
  for (const Message& note : m_suggestions->notes) more << look::shownText(note);
  m_strip->offerSizes(m_suggestions->sizes_not_tried);
  const bool doubtful = best() != nullptr && !m_suggestions->caution.message.empty();
  const QString sentence = look::shownText(m_suggestions->sentence);
  if (doubtful) more.prepend(look::shownText(m_suggestions->caution));
  m_strip->setSuggestion(doubtful ? tr("%1 (From times of a busy machine.)").arg(sentence) : sentence,
                         more.join(QLatin1Char('\n')), best() != nullptr);
  Q_EMIT found();
}

}  // namespace lanelab
