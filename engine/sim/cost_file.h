// SPDX-License-Identifier: GPL-3.0-only
// Costs from a file: what a person measured elsewhere, or wants to try.
//
//   { "blocks": [ { "name": "stem", "forward_ms": 1.5, "backward_ms": 3.0, "backward_weight_ms": 1.4 }, ... ],
//   "transfers_ms": [ 0.1, ... ] }
//
// Milliseconds of one micro-batch. The weight part is part of the backward; a transfer is one way, at the boundary
// after its block. Both may be left out.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// Optimizer, overhead and contention are 0. Errors (BadInput) begin with `place` and name the value: not the format
/// above, a key that is not known, a time below 0 or no number, a weight part above its backward, a block named twice,
/// not one transfer fewer than blocks.
Result<CostModel> parseCosts(std::string_view json, const std::string& place);

/// Reads a file of at most 16 MiB.
Result<CostModel> readCosts(const std::string& path);

}  // namespace lanelab
