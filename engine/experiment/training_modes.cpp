// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/training_modes.h"

#include "base/text.h"

namespace lanelab {
namespace {

std::string recomputeText(const std::vector<bool>& recompute) {
  std::vector<std::string> stages;
  for (std::size_t i = 0; i < recompute.size(); ++i) {
    if (recompute[i]) stages.push_back(std::to_string(i));
  }
  if (stages.empty()) return "";
  if (stages.size() == recompute.size())
    return recompute.size() == 1 ? "activations recomputed" : "activations recomputed on all stages";
  return "activations recomputed on " + std::string(stages.size() == 1 ? "stage " : "stages ") + joinAnd(stages);
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
  std::vector<std::string> parts = {modes.precision == Precision::Fp32 ? "" : toWord(modes.precision),
                                    batchNormText(modes.batch_norm), recomputeText(modes.recompute)};
  std::erase(parts, "");
  return joined(parts, ", ");
}

}  // namespace lanelab
