// SPDX-License-Identifier: GPL-3.0-only
// What is wrong with the values of an experiment, by place and sentence; with a variant besides its lanes, replicas and
// placement, which have files of their own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/model_file.h"

namespace lanelab {

class ResolvedVariant;

/// A problem of an experiment, for a form that wants them all: where ("variants[2].split_size") and a sentence.
struct ExperimentProblem : Message {
  ExperimentProblem(std::string place, Message said) : Message(std::move(said)), where(std::move(place)) {}

  std::string where;
};

/// BadInput, as the command line prints it: "data.batch: The batch must be ...".
inline Error errorOf(const ExperimentProblem& problem) { return Error::badInput("{}: {}", problem.where, problem); }

/// "The loss "mes" is not known in this version. Did you mean "mse"? Known are mse or cross_entropy."
std::string unknownWord(const std::string& what, const std::string& word, const std::vector<std::string>& known);

/// Collects the problems of one experiment, in the order of the file.
struct Problems {
  std::vector<ExperimentProblem> found;

  void add(const std::string& where, Message message) { found.emplace_back(where, std::move(message)); }
  template <class... Values>
  void add(const std::string& where, MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
    add(where, sentence<Values...>(code, values...));
  }
};

/// Whether `name` has at most kMostNameCharacters and no control character; else what is wrong with it is added.
bool checkName(const std::string& where, const std::string& name, Problems& problems);
/// What the rows of the fields rule out in the object at `path`: numbers out of range, unknown words, names that
/// checkName refuses. Of lists, objects within and what depends on other values nothing is said.
template <Described S>
void checkFields(const S& object, const std::string& path, Problems& problems);
/// `model` is set where model and data describe one. `network`: the experiment's.
void checkModelAndData(const Experiment& experiment, const OpenedNetwork& network, Problems& problems,
                       std::optional<ModelSpec>& model);
void checkTraining(const TrainingConfig& training, Problems& problems);
void checkLanes(const std::vector<LaneConfig>& lanes, Problems& problems);

/// Everything that keeps the variant from being planned. Without a model (its own problems are reported elsewhere) only
/// what needs none is looked at.
void checkVariant(const ResolvedVariant& variant, Problems& problems);

/// What can be planned and simulated but not trained: a batch norm that would see one value a channel, and data or a
/// loss that do not fit the network. Of a variant that can be planned.
void checkTrainable(const ResolvedVariant& variant, Problems& problems);

/// What epochs of `rows` samples rule out: more steps than a run may have.
void checkEpochs(const DataConfig& data, std::int64_t rows, Problems& problems);
/// And a last batch with fewer samples than the variant has micro-batches.
void checkLastBatch(const ResolvedVariant& variant, std::int64_t rows, Problems& problems);
/// What checkTrainable() looks for, in the last batch of an epoch. Of a variant that checkLastBatch() finds nothing in.
void checkLastBatchTrainable(const ResolvedVariant& variant, std::int64_t rows, Problems& problems);

/// The name of variant `i`: too long, without letters, or that of another before it.
void checkVariantName(const std::vector<VariantConfig>& variants, std::size_t i, const std::string& where,
                      Problems& problems);

}  // namespace lanelab
