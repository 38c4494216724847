// SPDX-License-Identifier: GPL-3.0-only
// One timeline of all processes of a run: each hands what it recorded to rank 0.
#pragma once

#include <memory>

#include "base/result.h"
#include "engine/dist/rank_channels.h"
#include "engine/run/runner.h"

namespace lanelab {

using JoinTraces = decltype(RunOptions::join_traces);

/// For RunOptions::join_traces. Every process makes one before the run, and makes the same calls in the same order.
/// Reads the clocks now and at each call; times between two readings are moved by the difference between them.
Result<JoinTraces> rankTraces(const std::shared_ptr<RankChannels>& channels);

}  // namespace lanelab
