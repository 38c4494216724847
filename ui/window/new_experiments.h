// SPDX-License-Identifier: GPL-3.0-only
// What File > New starts from: a blank experiment, and templates that run as they are. Pure functions of this machine's
// devices.
#pragma once

#include <QString>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

/// An experiment that is offered in a menu.
struct OfferedExperiment {
  QString title;
  Experiment experiment;
  QString tip = {};  ///< empty: names the example
};

/// A small ResNet on the machine's first two lanes, all blocks on the first.
Experiment blankExperiment(const std::vector<DeviceInfo>& devices);

/// One for each way to train on one or two lanes, each beside a single device: ResNet-18 on the bundled digits, cut by
/// MACs.
std::vector<OfferedExperiment> experimentTemplates(const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
