// SPDX-License-Identifier: GPL-3.0-only
// What is wrong with the values of an experiment, by place and sentence, whatever its variants do with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_problem.h"

namespace lanelab {

// Bounds far above every use: they only keep sums within 64 bits, so that a slip of the pen is a sentence and not an
// overflow.
constexpr int kMost = 1'000'000;
constexpr int kMostLanes = 256;
constexpr int kMostVariants = 256;
constexpr std::size_t kMostNameCharacters = 200;

/// "The loss "mes" is not known in this version. Did you mean "mse"? Known are mse or cross_entropy."
std::string unknownWord(const std::string& what, const std::string& word, const std::vector<std::string>& known);

/// Collects the problems of one experiment, in the order of the file.
class Problems {
 public:
  std::vector<ExperimentProblem> found;

  void add(const std::string& where, std::string message) { found.push_back({where, std::move(message)}); }

  void range(const std::string& where, const std::string& what, std::int64_t value, std::int64_t low,
             std::int64_t high);
  void notNegative(const std::string& where, const std::string& what, double value);
  /// Whether it is; else the nearest name is told.
  bool oneOf(const std::string& where, const std::string& what, const std::string& value,
             const std::vector<std::string>& allowed);
};

/// Whether `name` has at most kMostNameCharacters and no control character; else what is wrong with it is added.
bool checkName(const std::string& where, const std::string& name, Problems& problems);
/// `model` is set where model and data describe one.
void checkModelAndData(const Experiment& experiment, Problems& problems, std::optional<ModelSpec>& model);
void checkTraining(const TrainingConfig& training, Problems& problems);
void checkLanes(const std::vector<LaneConfig>& lanes, Problems& problems);

}  // namespace lanelab
