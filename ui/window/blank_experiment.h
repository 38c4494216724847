// SPDX-License-Identifier: GPL-3.0-only
// The experiment that File > New Experiment starts from.
#pragma once

#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/lanes/executor.h"

namespace lanelab {

/// A small ResNet on the machine's first two lanes, all blocks on the first.
Experiment blankExperiment(const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
