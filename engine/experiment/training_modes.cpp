// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/training_modes.h"

namespace lanelab {
namespace {

/// "0", "0 and 2", "0, 1 and 3".
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string recomputeText(const std::vector<bool>& recompute) {
  std::vector<std::string> stages;
  for (std::size_t i = 0; i < recompute.size(); ++i) {
    if (recompute[i]) stages.push_back(std::to_string(i));
  }
  if (stages.empty()) return "";
  if (stages.size() == recompute.size())
    return recompute.size() == 1 ? "activations recomputed" : "activations recomputed on all stages";
  return "activations recomputed on " + std::string(stages.size() == 1 ? "stage " : "stages ") + listed(stages);
}

std::string batchNormText(BatchNormMode mode) {
  if (mode == BatchNormMode::MicroBatch) return "";
  if (mode == BatchNormMode::Synchronised)
    return "synchronised batch norm (exact, and slow: the stages take the whole batch one after another)";
  return toWord(mode) + " batch norm";
}

}  // namespace

TrainingModes commonModes(const TrainingConfig& training) { return {training.precision, training.batch_norm, {}}; }

TrainingModes variantModes(const TrainingConfig& training, const VariantConfig& variant, std::size_t stages) {
  TrainingModes modes{variant.precision.value_or(training.precision), variant.batch_norm.value_or(training.batch_norm),
                      std::vector<bool>(stages, training.recompute && !variant.recompute)};
  for (const int stage : variant.recompute.value_or(std::vector<int>())) {
    if (stage >= 0 && static_cast<std::size_t>(stage) < stages) modes.recompute[static_cast<std::size_t>(stage)] = true;
  }
  return modes;
}

std::string modesText(const TrainingModes& modes) {
  std::string text;
  for (const std::string& part : {modes.precision == Precision::Fp32 ? std::string() : toWord(modes.precision),
                                  batchNormText(modes.batch_norm), recomputeText(modes.recompute)}) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

}  // namespace lanelab
