// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/planning_costs.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/text.h"
#include "engine/advise/profile_caution.h"
#include "engine/sim/cost_file.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
Result<CostModel> readCostsOf(const ModelSpec& model, const std::string& path) {
  Result<CostModel> costs = readCosts(path);
  if (!costs.ok()) return costs;
  if (costs->blocks.size() != model.blocks.size()) {
    return Error::badInput("{}: blocks has {} blocks, but {} has {} blocks. List each block in the order of the model.",
                           path, costs->blocks.size(), model.arch, model.blocks.size());
  }
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    if (costs->blocks[i].name == model.blocks[i].name) continue;
    return Error::badInput(
        "{}: blocks[{}].name is \"{}\", but this block of {} is \"{}\". Use the names and the order of the model.",
        path, i, costs->blocks[i].name, model.arch, model.blocks[i].name);
  }
  return costs;
}

Result<LaneProfiles> profilesFor(const Resolution& resolution, const TrainingModes& modes, const std::string& file,
                                 const Executor& executor) {
  std::optional<LaneProfiles> stored = storedProfiles(resolution, modes, executor, ProfileStore::ofThisUser());
  if (stored) return std::move(*stored);
  const TrainingConfig plain;
  std::string set;
  if (modes.precision != plain.precision) set += " --set training.precision=" + toWord(modes.precision);
  if (modes.batch_norm != plain.batch_norm) set += " --set training.batch_norm=" + toWord(modes.batch_norm);
  return Error::badInput(
      "{}: the blocks of {} are not measured on each kind of lane. Measure them first (lanelab-cli profile {}{}, with "
      "--lane if lanes differ), or name a file with costs (--costs).",
      file, resolution.experiment().model.title(), file, set);
}

Result<CostSource> costSource(const std::string& costs_file, const ModelSpec& model) {
  if (costs_file.empty()) return CostSource{std::nullopt, makeTorchExecutor(), ""};
  Result<CostModel> costs = readCostsOf(model, costs_file);
  if (!costs.ok()) return costs.error();
  return CostSource{
      std::move(*costs), nullptr,
      "from the costs in " + costs_file + ", the same for each micro-batch size, without optimizer and overhead"};
}

Result<StepPredictor> predictorFrom(CostSource& source, const ResolvedVariant& variant, const std::string& file) {
  if (source.fixed) return StepPredictor(*source.fixed);
  Result<LaneProfiles> stored = profilesFor(variant.resolution(), variant.modes(), file, *source.executor);
  if (!stored.ok()) return stored.error();
  source.words = "from block times measured on " + stored->profiles.front().key.machine;
  source.caution = busyProfileText(stored->ofLanes()).message;
  return StepPredictor(std::move(*stored));
}

void warnOfMissingWeights(const std::optional<CostModel>& costs, const std::vector<std::string>& split) {
  if (!costs) return;
  if (std::ranges::any_of(costs->blocks, [](const BlockCost& block) { return block.backward_weight > 0; })) return;
  if (split.empty()) return;
  std::cerr << "Warning: " << joinAnd(split) << (split.size() == 1 ? " splits" : " split")
            << " the backward, but the costs have no backward_weight_ms, so weight parts take no time. Add "
               "backward_weight_ms to the blocks.\n";
}

double millisecondsOf(double seconds) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.15g", seconds * 1e3);
  return std::strtod(digits, nullptr);
}

std::string millisecondsText(double seconds) {
  constexpr int kMostDigits = 4;
  const double milliseconds = seconds * 1e3;
  return milliseconds < 9999.5 ? formatFigures(milliseconds) : formatNumber(milliseconds, kMostDigits);
}

std::string millisecondsText(const std::optional<ForecastRange>& range) {
  return range ? millisecondsText(range->low) + " to " + millisecondsText(range->high) : "-";
}

Json millisecondsOf(const std::optional<ForecastRange>& range) {
  return range ? Json{millisecondsOf(range->low), millisecondsOf(range->high)} : Json();
}

}  // namespace lanelab
