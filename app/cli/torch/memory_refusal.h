// SPDX-License-Identifier: GPL-3.0-only
// --force of the commands that train: training that cannot fit in memory is refused before anything is allocated.
#pragma once

#include "app/cli/command.h"
#include "engine/memory/memory_fit.h"

namespace lanelab {

inline void addForce(const Command& command, bool& force) {
  command.flag("--force", force, "Train even if the predicted memory exceeds that of a device");
}

inline MemoryRule memoryRule(bool force) { return {force, "To train all the same, add --force."}; }

}  // namespace lanelab
