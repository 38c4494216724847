// SPDX-License-Identifier: GPL-3.0-only
// What is done in place of the calls of a self-attention (engine/exported/self_attention.h), for a CPU lane in fp32.
#pragma once

#include "engine/exported/self_attention.h"
#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// Its first linear layer, on rows in the order of memory.
GraphOperation projectionOperation(const SelfAttention& attention, GraphOperation linear);
/// At the last of its `calls`, or of those that turn `back`.
GraphOperation attentionOperation(const SelfAttention& attention, std::size_t node);

}  // namespace lanelab
