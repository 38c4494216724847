// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/accuracy_text.h"

#include "base/text.h"

namespace lanelab {

namespace {

std::string counted(int count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

struct Learnt {
  int repeats = 0;
  double training = 0;
  double validation = 0;
  bool validated = true;
};

/// The mean over the repeats' last epochs.
Learnt learntBy(const VariantRecord& variant) {
  Learnt learnt;
  for (const RepeatRecord& repeat : variant.repeats) {
    if (repeat.epochs.empty()) continue;
    const EpochResult& last = repeat.epochs.back();
    ++learnt.repeats;
    learnt.training += last.accuracy;
    learnt.validation += last.validation_accuracy.value_or(0);
    learnt.validated = learnt.validated && last.validation_accuracy;
  }
  if (learnt.repeats > 0) learnt.training /= learnt.repeats, learnt.validation /= learnt.repeats;
  return learnt;
}

}  // namespace

std::string lengthWords(const DataConfig& data) {
  return data.epochs ? counted(*data.epochs, "epoch") : counted(data.steps, "step");
}

std::string accuracySentence(const RunRecord& record) {
  std::string words;
  int most = 0;
  for (const VariantRecord& variant : record.variants) {
    const Learnt learnt = learntBy(variant);
    if (learnt.repeats == 0) continue;
    most = std::max(most, learnt.repeats);
    words += (words.empty() ? "" : "; ") + variant.name + " " + formatPercent(learnt.training) + " in training";
    if (learnt.validated) words += " and " + formatPercent(learnt.validation) + " in validation";
  }
  if (words.empty() || !record.experiment.data.epochs) return "";
  const std::string of = most > 1 ? ", mean of up to " + std::to_string(most) + " repeats" : "";
  return "Accuracy after " + lengthWords(record.experiment.data) + of + ", measured: " + words + ".";
}

}  // namespace lanelab
