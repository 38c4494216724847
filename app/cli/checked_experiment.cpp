// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/checked_experiment.h"

#include "engine/experiment/row_order.h"
#include "engine/record/training_length.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {

Result<std::shared_ptr<const Resolution>> readChecked(const std::string& file,
                                                      const std::vector<std::string>& assignments) {
  const Result<Experiment> experiment = readExperiment(file, assignments);
  if (!experiment.ok()) return experiment.error();
  return checked(*experiment, file);
}

Result<std::shared_ptr<const Resolution>> checked(const Experiment& experiment, const std::string& source) {
  auto resolution = resolve(experiment);
  const Status trainable = resolution->trainable();
  if (!trainable.ok()) return Error::badInput("{}: {}", source, trainable.error());
  return resolution;
}

Status checkEpochRows(const Resolution& resolution, const std::string& source) {
  const DataConfig& data = resolution.experiment().data;
  if (!data.epochs || knownRows(data)) return {};
  const Result<std::int64_t> rows = makeTorchExecutor()->trainingRows(resolution.experiment());
  const Status fit = rows.ok() ? checkRows(resolution, *rows) : Status();
  return fit.ok() ? fit : Error::badInput("{}: {}", source, fit.error());
}

}  // namespace lanelab
