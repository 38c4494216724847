// SPDX-License-Identifier: GPL-3.0-only
// From a device map to lanes: the blocks of a network that can be trained, where the map puts their layers.
#pragma once

#include "engine/placement/device_map.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// GPU k stands for lane k, of `lanes` lanes; a block without weights stays with the block before it. Error (Failed),
/// with the fix: a block on several devices, on the CPU or the disk, or on a GPU that no lane stands for.
Result<Placement> placementOfMap(const ModelSpec& model, const DeviceMap& map, int lanes);

}  // namespace lanelab
