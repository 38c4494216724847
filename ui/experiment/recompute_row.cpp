// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/form_rows.h"

#include <QObject>
#include <QStringList>
#include <numeric>

namespace lanelab {
namespace {

QString recomputedStagesText(const std::optional<std::vector<int>>& stages) {
  if (!stages) return {};
  if (stages->empty()) return QObject::tr("none");
  QStringList numbers;
  for (const int stage : *stages) numbers << QString::number(stage);
  return numbers.join(", ");
}

}  // namespace

QString readRecomputedStages(const QString& text, int stages, std::optional<std::vector<int>>& value) {
  const QString words = text.trimmed().toLower();
  if (words.isEmpty() || words == QObject::tr("default") || words == "default") {
    value.reset();
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
      if (!whole) return QObject::tr("Enter stage numbers such as 0, 2, or one of default, all, none.");
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
      },
      nullptr);
  field->input()->setPlaceholderText(QObject::tr("default, all, none, or stages such as 0, 2"));
  field->setObjectName("variantRecompute");
  return {QObject::tr("Recompute"), field};
}

}  // namespace lanelab
