// SPDX-License-Identifier: GPL-3.0-only
// How many micro-batches an order holds at once, which decides the activations that a stage stores. Pure.
#pragma once

#include <vector>

#include "engine/schedule/schedule.h"

namespace lanelab {

/// By stage, the most micro-batches from their forward to the end of their backward, B or W.
std::vector<int> mostInFlight(const Schedule& schedule);

}  // namespace lanelab
