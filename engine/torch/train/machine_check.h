// SPDX-License-Identifier: GPL-3.0-only
// What of an experiment this machine cannot do, or does badly.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/lanes/executor.h"

namespace lanelab {

/// Every device a lane may name here: one a CPU core, one a GPU.
std::vector<DeviceInfo> devicesHere();

/// The processor's instructions for bf16 ("AVX-512 BF16"), or "none".
std::string bf16Instructions();
/// A sentence for variants that train in bf16 on CPU lanes without such instructions.
void warnOfSlowBf16(const Experiment& experiment, std::vector<std::string>& warnings);

/// Missing devices and more threads than cores.
Status checkLanes(const std::vector<LaneConfig>& lanes, std::vector<std::string>& warnings);

}  // namespace lanelab
