// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/mode_fields.h"

#include <QObject>
#include <QStringList>
#include <algorithm>
#include <numeric>

namespace lanelab {
namespace {

using Choices = ChoiceField::Choices;

Choices precisions() {
  return {{"fp32", QObject::tr("fp32")},
          {"bf16", QObject::tr("bf16, fp32 masters")},
          {"tf32", QObject::tr("tf32 (GPUs only)")}};
}

Choices batchNorms() {
  return {{"micro-batch", QObject::tr("By micro-batch")},
          {"deferred", QObject::tr("Statistics once a step")},
          {"synchronised", QObject::tr("Whole batch (slow)")}};
}

QString precisionHelp() {
  return QObject::tr(
      "fp32: exact to 24 bits.\nbf16: convolutions, linear layers and activations in bf16; the optimizer keeps fp32 "
      "master weights, batch norms and "
      "the loss "
      "stay fp32.\ntf32: fp32 with products in TensorFloat-32, on GPUs only.");
}

QString batchNormHelp() {
  return QObject::tr(
      "By micro-batch: each is normalised by itself and moves the running statistics.\nStatistics once a step "
      "(deferred): the running statistics "
      "move once, by "
      "those of the whole batch.\nWhole batch (synchronised): as on a single device, exact; slow, because the stages "
      "take the whole batch one after "
      "another.");
}

QString recomputeHelp() {
  return QObject::tr(
      "Recomputed: a stage keeps only its inputs, and computes its activations again in the backward. Less memory, "
      "more time, the same numbers.");
}

ModeField helped(const QString& label, FormField* field, const QString& object_name, const QString& help) {
  field->setToolTip(help);
  return {label, field, object_name};
}

template <Worded E>
FormField* trainingChoice(ExperimentDocument* document, const QString& where, const QString& name, Choices (*choices)(),
                          E TrainingConfig::*mode) {
  return new ChoiceField(
      document, [where] { return where; }, name, name, choices,
      [mode](const Experiment& e) { return QString::fromStdString(toWord(e.training.*mode)); },
      [mode](Experiment& e, const QString& value) { e.training.*mode = wordOr(e.training.*mode, value); }, nullptr);
}

VariantConfig* activeOf(const ExperimentDocument* document, Experiment& e) {
  const auto index = static_cast<std::size_t>(document->activeVariant());
  return index < e.variants.size() ? &e.variants[index] : nullptr;
}

const VariantConfig* activeOf(const ExperimentDocument* document, const Experiment& e) {
  const auto index = static_cast<std::size_t>(document->activeVariant());
  return index < e.variants.size() ? &e.variants[index] : nullptr;
}

FormField::Where inActive(const ExperimentDocument* document, const char* key) {
  return [document, key] {
    return QStringLiteral("variants[%1].%2").arg(document->activeVariant()).arg(QLatin1String(key));
  };
}

/// The experiment's own choice first, which is an empty value.
template <Worded E>
FormField* variantChoice(ExperimentDocument* document, const char* key, const QString& name, Choices (*choices)(),
                         E TrainingConfig::*common, std::optional<E> VariantConfig::*own) {
  const auto all = [document, choices, common] {
    Choices list = choices();
    const QString value = QString::fromStdString(toWord(document->experiment().training.*common));
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& choice) { return choice.first == value; });
    list.insert(list.begin(), {QString(), QObject::tr("As all: %1").arg(found == list.end() ? value : found->second)});
    return list;
  };
  return new ChoiceField(
      document, inActive(document, key), name, name, all,
      [document, own](const Experiment& e) {
        const VariantConfig* const variant = activeOf(document, e);
        return variant && variant->*own ? QString::fromStdString(toWord(*(variant->*own))) : QString();
      },
      [document, own](Experiment& e, const QString& value) {
        activeOf(document, e)->*own = fromWord<E>(value.toStdString());
      },
      nullptr);
}

QString recomputedStagesText(const std::optional<std::vector<int>>& stages) {
  if (!stages) return {};
  if (stages->empty()) return QObject::tr("none");
  QStringList numbers;
  for (const int stage : *stages) numbers << QString::number(stage);
  return numbers.join(", ");
}

FormField* variantRecompute(ExperimentDocument* document) {
  auto* const field = new TextField(
      document, inActive(document, "recompute"), QObject::tr("Recomputed stages"), QObject::tr("Recomputed stages"),
      [document](const Experiment& e) {
        const VariantConfig* const variant = activeOf(document, e);
        return variant ? recomputedStagesText(variant->recompute) : QString();
      },
      [document](Experiment& e, const QString& text) {
        VariantConfig& variant = *activeOf(document, e);
        const std::size_t stages = document->active()->stages().size();
        return readRecomputedStages(text, static_cast<int>(stages), variant.recompute);
      },
      nullptr);
  field->input()->setPlaceholderText(QObject::tr("as all; or: 0, 2; all; none"));
  return field;
}

}  // namespace

QString readRecomputedStages(const QString& text, int stages, std::optional<std::vector<int>>& value) {
  const QString words = text.trimmed().toLower();
  if (words.isEmpty()) {
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
      if (!whole) return QObject::tr("Write the numbers of stages, such as 0, 2; or all; or none.");
    }
  }
  value = std::move(chosen);
  return {};
}

std::vector<ModeField> trainingModeFields(ExperimentDocument* document) {
  auto* const recompute = new ChoiceField(
      document, [] { return QStringLiteral("training.recompute"); }, QObject::tr("Activations"),
      QObject::tr("Activations"),
      [] {
        return Choices{{"keep", QObject::tr("Kept")}, {"recompute", QObject::tr("Recomputed")}};
      },
      [](const Experiment& e) { return QString(e.training.recompute ? "recompute" : "keep"); },
      [](Experiment& e, const QString& value) { e.training.recompute = value == "recompute"; }, nullptr);
  return {helped(QObject::tr("Precision"),
                 trainingChoice(document, "training.precision", QObject::tr("Precision"), precisions,
                                &TrainingConfig::precision),
                 "trainingPrecision", precisionHelp()),
          helped(QObject::tr("Batch norm"),
                 trainingChoice(document, "training.batch_norm", QObject::tr("Batch norm"), batchNorms,
                                &TrainingConfig::batch_norm),
                 "trainingBatchNorm", batchNormHelp()),
          helped(QObject::tr("Activations"), recompute, "trainingRecompute", recomputeHelp())};
}

std::vector<ModeField> variantModeFields(ExperimentDocument* document) {
  return {helped(QObject::tr("Precision"),
                 variantChoice(document, "precision", QObject::tr("Precision of the variant"), precisions,
                               &TrainingConfig::precision, &VariantConfig::precision),
                 "variantPrecision", precisionHelp()),
          helped(QObject::tr("Batch norm"),
                 variantChoice(document, "batch_norm", QObject::tr("Batch norm of the variant"), batchNorms,
                               &TrainingConfig::batch_norm, &VariantConfig::batch_norm),
                 "variantBatchNorm", batchNormHelp()),
          helped(QObject::tr("Recompute"), variantRecompute(document), "variantRecompute",
                 QObject::tr("Stages whose activations are computed again. ") + recomputeHelp())};
}

}  // namespace lanelab
