// SPDX-License-Identifier: GPL-3.0-only
// Max pooling that stores no value of its own for the backward.
#pragma once

#include "engine/torch/nn/activation.h"

namespace lanelab {

/// 3x3 with stride 2 and padding 1, as a ResNet's stem. Its backward reads indices, and of its input only the shape,
/// for which what `x` is made again from serves as well.
at::Tensor maxPool(const Activation& x);

}  // namespace lanelab
