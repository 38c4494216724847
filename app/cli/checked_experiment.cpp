// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/checked_experiment.h"

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

}  // namespace lanelab
