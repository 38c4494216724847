// SPDX-License-Identifier: GPL-3.0-only
// Which lane computes which block, from a variant's cuts or its block-by-block list. A part of resolution.h, which is
// what other rooms include.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// The placement of the first replica as well as it can be read: unknown blocks and lanes are passed over, blocks
/// without a word follow their neighbour. Where checkPlacement() finds nothing this is what the variant says.
Placement readPlacement(const Experiment& experiment, const ModelSpec& model, const ReplicaSplit& split);
Placement readPlacement(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant);

/// Consecutive stages on `lanes` in turn, cut where the blocks of `cuts` begin; stages beyond the last lane stay on it.
Placement placementByCuts(const ModelSpec& model, const std::vector<std::string>& cuts,
                          const std::vector<LaneId>& lanes);

/// Of the first replica: unknown blocks and lanes, blocks without a lane, cuts that make no stages.
void checkPlacement(const Experiment& experiment, const ModelSpec& model, const ReplicaSplit& split,
                    const std::string& where, Problems& problems);

}  // namespace lanelab
