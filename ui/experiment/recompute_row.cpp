// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_rows.h"

#include <QObject>
#include <QStringList>
#include <numeric>

#include "ui/look/placeholder.h"

namespace lanelab {
namespace {

/// In place of a mode: the variant names stages.
const QString kNamedStages = QStringLiteral("stages");

const std::vector<int>* namedStages(const VariantConfig* variant) {
  return variant && namesStages(*variant) ? &std::get<std::vector<int>>(*variant->recompute) : nullptr;
}

/// Both rows are of one place: what is wrong there is said once, by the row of the stages if they are named.
QString placeOf(const ExperimentDocument& document, bool of_stages) {
  const bool named = namedStages(document.activeIn(document.experiment())) != nullptr;
  return named == of_stages ? document.activePlace("recompute") : QString();
}

QString chosenRecompute(const VariantConfig* variant) {
  if (!variant || !variant->recompute) return {};
  if (namedStages(variant)) return kNamedStages;
  return QString::fromStdString(toWord(std::get<Recompute>(*variant->recompute)));
}

/// Certain stages are at first all.
void chooseRecompute(const QString& chosen, std::size_t stages, VariantConfig& variant) {
  if (chosen.isEmpty()) return variant.recompute.reset();
  if (chosen != kNamedStages) {
    variant.recompute = fromWord<Recompute>(chosen.toStdString()).value_or(Recompute::None);
  } else if (!namedStages(&variant)) {
    std::vector<int> all(stages);
    std::iota(all.begin(), all.end(), 0);
    variant.recompute = std::move(all);
  }
}

QString stagesText(const std::vector<int>& stages) {
  QStringList numbers;
  for (const int stage : stages) numbers << QString::number(stage);
  return numbers.join(", ");
}

}  // namespace

QString readRecomputedStages(const QString& text, std::vector<int>& stages) {
  std::vector<int> read;
  const QString numbers = text.trimmed();
  for (const QString& part : numbers.isEmpty() ? QStringList() : numbers.split(',')) {
    bool whole = false;
    read.push_back(part.trimmed().toInt(&whole));
    if (!whole)
      return QObject::tr("\"%1\" is not a list of stages. Enter their numbers with commas, such as 0, 2.").arg(text);
  }
  stages = std::move(read);
  return {};
}

FormRow recomputeRow(ExperimentDocument* document) {
  const QString name = QObject::tr("Recomputation of the variant");
  auto* const field = new ChoiceField(
      document, [document] { return placeOf(*document, /*of_stages=*/false); }, name, name,
      [document] {
        ChoiceField::Choices choices = recomputeChoices(document->experiment());
        choices.emplace_back(kNamedStages, QObject::tr("Certain stages"));
        return choices;
      },
      [document](const Experiment& e) { return chosenRecompute(document->activeIn(e)); },
      [document](Experiment& e, const QString& chosen) {
        chooseRecompute(chosen, document->active()->stages().size(), *document->activeIn(e));
      });
  field->setToolTip(QObject::tr(
      "Activation checkpointing of this variant, in place of Recompute in Training: less memory, more time, "
      "the same numbers"));
  field->setObjectName("variantRecompute");
  return {QObject::tr("Recompute"), field};
}

FormRow recomputedStagesRow(ExperimentDocument* document) {
  const QString name = QObject::tr("Recomputed stages");
  auto* const field = new TextField(
      document, [document] { return placeOf(*document, /*of_stages=*/true); }, name, name,
      [document](const Experiment& e) {
        const auto* const stages = namedStages(document->activeIn(e));
        return stages ? stagesText(*stages) : QString();
      },
      [document](Experiment& e, const QString& text) {
        std::vector<int> stages;
        const QString refusal = readRecomputedStages(text, stages);
        if (refusal.isEmpty()) document->activeIn(e)->recompute = std::move(stages);
        return refusal;
      });
  look::showDefault(*field->input(), QObject::tr("none"));
  field->setToolTip(
      QObject::tr("Numbers of the stages that compute their whole forward again in the backward, such as 0, 2"));
  field->setObjectName("variantRecomputedStages");
  return {name, field};
}

}  // namespace lanelab
