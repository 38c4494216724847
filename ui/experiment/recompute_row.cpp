// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_rows.h"

#include <QObject>
#include <QStringList>
#include <numeric>

namespace lanelab {
namespace {

QString recomputeText(Recompute recompute) {
  switch (recompute) {
    case Recompute::None: break;
    case Recompute::Activations: return QObject::tr("activations");
    case Recompute::Stage: return QObject::tr("all");
  }
  return QObject::tr("none");
}

QString recomputedStagesText(const std::optional<VariantRecompute>& chosen) {
  if (!chosen) return {};
  if (const auto* const all = std::get_if<Recompute>(&*chosen)) return recomputeText(*all);
  const auto& stages = std::get<std::vector<int>>(*chosen);
  if (stages.empty()) return QObject::tr("none");
  QStringList numbers;
  for (const int stage : stages) numbers << QString::number(stage);
  return numbers.join(", ");
}

}  // namespace

QString readRecomputedStages(const QString& text, int stages, std::optional<VariantRecompute>& value) {
  const QString words = text.trimmed().toLower();
  if (words.isEmpty() || words == QObject::tr("default") || words == "default") {
    value.reset();
    return {};
  }
  if (words == QObject::tr("activations") || words == "activations") {
    value = Recompute::Activations;
    return {};
  }
  std::vector<int> chosen;
  if (words == QObject::tr("all") || words == "all") {
    chosen.resize(static_cast<std::size_t>(stages));
    std::iota(chosen.begin(), chosen.end(), 0);
  } else if (words != QObject::tr("none") && words != "none") {
    for (const QString& part : words.split(',')) {
      bool whole = false;
      chosen.push_back(part.trimmed().toInt(&whole));
      if (!whole) return QObject::tr("Enter stage numbers such as 0, 2, or one of default, activations, all, none.");
    }
  }
  value = std::move(chosen);
  return {};
}

FormRow recomputeRow(ExperimentDocument* document) {
  auto* const field = new TextField(
      document, [document] { return document->activePlace("recompute"); }, QObject::tr("Recomputed stages"),
      QObject::tr("Recomputed stages"),
      [document](const Experiment& e) {
        const VariantConfig* const variant = document->activeIn(e);
        return variant ? recomputedStagesText(variant->recompute) : QString();
      },
      [document](Experiment& e, const QString& text) {
        VariantConfig& variant = *document->activeIn(e);
        const std::size_t stages = document->active()->stages().size();
        return readRecomputedStages(text, static_cast<int>(stages), variant.recompute);
      });
  field->input()->setPlaceholderText(QObject::tr("default, activations, all, none, or stages such as 0, 2"));
  field->setObjectName("variantRecompute");
  return {QObject::tr("Recompute"), field};
}

}  // namespace lanelab
