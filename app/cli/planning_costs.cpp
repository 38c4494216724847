// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/planning_costs.h"

#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "engine/sim/cost_file.h"

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

Result<LaneProfiles> profilesFor(const Experiment& experiment, const TrainingModes& modes, const std::string& file,
                                 const Executor& executor) {
  std::optional<LaneProfiles> stored = storedProfiles(experiment, modes, executor, ProfileStore::ofThisUser());
  if (stored) return std::move(*stored);
  const TrainingConfig plain;
  std::string set;
  if (modes.precision != plain.precision) set += " --set training.precision=" + toWord(modes.precision);
  if (modes.batch_norm != plain.batch_norm) set += " --set training.batch_norm=" + toWord(modes.batch_norm);
  return Error::badInput(
      "{}: the blocks of {} are not measured on each kind of lane. Measure them first (lanelab-cli profile {}{}, with "
      "--lane if lanes differ), or name a file with costs (--costs).",
      file, experiment.model.title(), file, set);
}

double millisecondsOf(double seconds) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.15g", seconds * 1e3);
  return std::strtod(digits, nullptr);
}

std::string millisecondsText(double seconds) { return formatFixed(seconds * 1e3, 3); }

}  // namespace lanelab
