// SPDX-License-Identifier: GPL-3.0-only
// The experiment that trains a finished order for real, beside a known schedule. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/device_info.h"
#include "engine/experiment/experiment.h"
#include "engine/levels/known_order.h"

namespace lanelab {

inline constexpr const char* kOwnOrder = "Your order";  ///< the variant, which is the last

/// ResNet-18 on random pixels, cut into the level's stages by MACs: the order of the finished board, behind the known
/// schedule with which it is compared. Lanes are GPUs if the machine has one for each lane, else CPU cores.
Experiment levelRun(const LevelBoard& board, const std::vector<KnownOrder>& known,
                    const std::vector<DeviceInfo>& devices);

/// What the lanes of levelRun() are on this machine, in a sentence.
Message lanesOfRun(const Level& level, const std::vector<DeviceInfo>& devices);

}  // namespace lanelab
