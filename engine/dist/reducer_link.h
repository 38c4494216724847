// SPDX-License-Identifier: GPL-3.0-only
// Replicas of a stage joined by PyTorch's own c10d::Reducer, with the settings and calls of
// torch.nn.parallel.DistributedDataParallel.
//
// As there: parameters and buffers of replica 0 at joining, its buffers again at every step; all gradients in one
// bucket in the first step, then in buckets of 1 MiB and 25 MiB in the order in which the gradients came; each bucket
// is summed while the backward pass continues; gradients are divided by the number of replicas. Source:
// torch/nn/parallel/distributed.py of PyTorch 2.11.
#pragma once

#include <memory>

#include "engine/dist/gloo_group.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// Connects, and gives parameters and buffers the values of replica 0. Throws std::runtime_error with a sentence.
std::unique_ptr<ReplicaLink> joinByReducer(const ReplicaMember& member, std::shared_ptr<const GlooTransport> transport);

}  // namespace lanelab
