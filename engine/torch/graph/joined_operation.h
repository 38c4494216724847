// SPDX-License-Identifier: GPL-3.0-only
// What is done in place of calls that are found together (engine/exported/joined_calls.h).
#pragma once

#include "engine/exported/joined_calls.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// For a CPU lane in fp32.
GraphOperation joinedOperation(const JoinedCalls& calls);

}  // namespace lanelab
