// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/training_modes.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {
namespace {

std::string recomputeText(const std::vector<Recompute>& recompute) {
  if (std::ranges::find(recompute, Recompute::Activations) != recompute.end()) return "ReLUs of batch norms recomputed";
  std::vector<std::string> stages;
  for (std::size_t i = 0; i < recompute.size(); ++i) {
    if (recompute[i] == Recompute::Stage) stages.push_back(std::to_string(i));
  }
  if (stages.empty()) return "";
  if (stages.size() == recompute.size()) return "whole forward recomputed";
  return "forward of " + std::string(stages.size() == 1 ? "stage " : "stages ") + joinAnd(stages) + " recomputed";
}

std::string batchNormText(BatchNormMode mode) {
  if (mode == BatchNormMode::MicroBatch) return "";
  if (mode == BatchNormMode::Synchronised)
    return "synchronised batch norm (exact, and slow: the stages take the whole batch one after another)";
  return toWord(mode) + " batch norm";
}

std::vector<Recompute> recomputeByStage(const VariantRecompute& chosen, std::size_t stages) {
  if (const auto* const all = std::get_if<Recompute>(&chosen)) return std::vector<Recompute>(stages, *all);
  std::vector<Recompute> by_stage(stages, Recompute::None);
  for (const int stage : std::get<std::vector<int>>(chosen)) {
    if (stage >= 0 && static_cast<std::size_t>(stage) < stages)
      by_stage[static_cast<std::size_t>(stage)] = Recompute::Stage;
  }
  return by_stage;
}

}  // namespace

TrainingModes commonModes(const TrainingConfig& training) { return {training.precision, training.batch_norm, {}}; }

TrainingModes variantModes(const TrainingConfig& training, const VariantConfig& variant, std::size_t stages) {
  return {variant.precision.value_or(training.precision), variant.batch_norm.value_or(training.batch_norm),
          recomputeByStage(variant.recompute.value_or(training.recompute), stages)};
}

bool usesFusedKernels(const TrainingConfig& training) {
  return training.kernels == Kernels::Fused && training.layout == Layout::ChannelsLast;
}

Rules rulesOf(const TrainingConfig& training, const ModelSpec& model) {
  Rules rules = Rules::all();
  if (!usesFusedKernels(training)) rules = rules.without(kFusedKernels);
  // Built-in networks have had their products with either kernels since there are some.
  if (training.kernels == Kernels::Aten && model.imported) rules = rules.without(Rule::ConvolutionProduct);
  for (const Rule rule : training.rules_off) rules = rules.without(rule);
  return rules;
}

std::vector<double> forwardAgain(const ModelSpec& model, const std::vector<Stage>& stages, const TrainingModes& modes) {
  std::vector<double> again(model.blocks.size(), 0);
  for (const Stage& stage : stages) {
    const Recompute recompute = modes.recomputeOf(stage.id);
    for (std::size_t i = stage.first.index(); recompute != Recompute::None && i < stage.end.index(); ++i)
      again[i] = recompute == Recompute::Stage ? 1 : model.blocks[i].remade_share;
  }
  return again;
}

std::string modesText(const TrainingModes& modes) {
  std::vector<std::string> parts = {modes.precision == Precision::Fp32 ? "" : toWord(modes.precision),
                                    batchNormText(modes.batch_norm), recomputeText(modes.recompute)};
  std::erase(parts, "");
  return joined(parts, ", ");
}

}  // namespace lanelab
