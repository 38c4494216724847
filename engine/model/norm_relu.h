// SPDX-License-Identifier: GPL-3.0-only
// ReLUs that directly follow a batch norm: what they make need not be stored for the backward, because it can be made
// again, bit for bit, from the norm's input, which is stored anyway.
//
// Idea: InPlace-ABN (Rota Bulo et al. 2018, mapillary/inplace_abn), which inverts the activation instead and so needs
// one that is invertible; a ReLU is not.
#pragma once

#include <cstddef>

#include "engine/model/model_spec.h"

namespace lanelab {

/// Whether operation `op` of the block is such a ReLU.
bool isNormRelu(const BlockSpec& block, std::size_t op);

/// Whether a block of the model has one.
bool hasNormRelu(const ModelSpec& model);

/// The part of a block's forward time that making these ReLUs again takes, 0 to 1. An estimate from operations and
/// sizes: going over a number in memory counts as a fixed number of MACs.
double normReluShare(const BlockSpec& block);

}  // namespace lanelab
