// SPDX-License-Identifier: GPL-3.0-only
// What File > New starts from: a blank experiment, and templates that run as they are. Pure functions of this machine's
// devices.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

struct ExampleExperiment {
  QString title;
  Experiment experiment;
};

struct ExperimentTemplate {
  QString title, tip;
  std::function<Experiment()> experiment;  ///< made when it is chosen, since cuts need the network
};

/// A small ResNet on the machine's first two lanes, all blocks on the first.
Experiment blankExperiment(const std::vector<DeviceInfo>& devices);

/// One for each way to train on one or two lanes, each beside a single device: ResNet-18 on the bundled digits, cut by
/// MACs.
std::vector<ExperimentTemplate> experimentTemplates(const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
