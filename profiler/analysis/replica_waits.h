// SPDX-License-Identifier: GPL-3.0-only
// Which lanes an update waits for: the replicas of its stage, whose gradients it needs.
//
// Pure; any thread.
#pragma once

#include <map>
#include <vector>

#include "profiler/analysis/traced_actions.h"

namespace lanelab {

/// By update, the last actions that the lanes of the stage's other replicas did before their own update of the step.
/// Only where these ended before the update began: else it did not wait for them. Empty without replicas.
using ReplicaWaits = std::map<std::uint32_t, std::vector<std::uint32_t>>;

ReplicaWaits replicaWaits(const TracedActions& traced, std::size_t lanes);

}  // namespace lanelab
