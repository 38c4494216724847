// SPDX-License-Identifier: GPL-3.0-only
// ResNets: stem, basic blocks or bottlenecks, head.
#pragma once

#include <optional>

#include "engine/torch/nn/network_block.h"

namespace lanelab {

/// Nothing for an architecture that is not torchvision's resnet18 ... resnet152.
std::optional<NetworkBlocks> makeResNet(const ModelSpec& spec);

}  // namespace lanelab
