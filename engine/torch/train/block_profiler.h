// SPDX-License-Identifier: GPL-3.0-only
// Measures a model's blocks in the context of training: whole forward and backward chains on a pinned lane, with
// several micro-batches in flight as in a pipeline, so that caches, kept memory and gradient accumulation are as in a
// run. A block alone in a hot loop would be too fast.
#pragma once

#include <optional>

#include "engine/lanes/executor.h"
#include "engine/torch/data/training_inputs.h"

namespace lanelab {

/// See Executor::measureBlocks(). For each size: the whole model on the lane, alone, with split backwards, and while
/// the other lanes do the same (slowdown); then each block a stage, lanes alternating, for updates, transfers and the
/// cost of an action itself. Blocks the calling thread.
/// `network`: the initial one, if it is known already.
Result<BlockProfile> profileBlocks(const Resolution& resolution, const ProfileRequest& request,
                                   std::optional<InitialNetwork> network, std::stop_token stop);

}  // namespace lanelab
