// SPDX-License-Identifier: GPL-3.0-only
// The lanes that a variant may use. A part of resolution.h, which is what other rooms include.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/experiment_checks.h"

namespace lanelab {

/// In the variant's order, all where it names none; indices that name no lane are left out.
std::vector<LaneId> variantLanes(const Experiment& experiment, const VariantConfig& variant);

/// Whether the variant names lanes well; else what is wrong is added. Silently false where the experiment has none.
bool checkVariantLanes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems);

}  // namespace lanelab
