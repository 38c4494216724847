// SPDX-License-Identifier: GPL-3.0-only
// Lanes added and removed, and which of them a variant uses. Pure functions, legal before means legal after.
#pragma once

#include <vector>

#include "engine/experiment/experiment.h"

namespace lanelab {

/// Appends a lane on `device`.
void addLane(Experiment& experiment, Device device);

/// Removes a lane; its blocks go to the lane above it (the first lane's to the one below), in every variant. The last
/// lane stays.
void removeLane(Experiment& experiment, const ModelSpec& model, LaneId lane);

/// Which lanes a variant may use (not empty); blocks on others go to the nearest of these.
void setVariantLanes(const Experiment& experiment, const ModelSpec& model, const std::vector<LaneId>& lanes,
                     VariantConfig& variant);

/// The lanes as they compute: a limit says what fits, and changes neither the bits nor the times of a step.
std::vector<LaneConfig> withoutMemoryLimits(std::vector<LaneConfig> lanes);

}  // namespace lanelab
