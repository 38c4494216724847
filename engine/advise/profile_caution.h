// SPDX-License-Identifier: GPL-3.0-only
// What to know of predictions whose block times were measured while other programs used the cores. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/message.h"
#include "engine/placement/block_profile.h"

namespace lanelab {

/// "Block times are of a busy machine: while they were measured, a lane had a core for only 34.0 % of its compute time.
/// ..." of the micro-batch size with the smallest share; "" if each is at least kLeastOnCore, or not known.
Message busyProfileText(const std::vector<const BlockProfile*>& profiles);

}  // namespace lanelab
