// SPDX-License-Identifier: GPL-3.0-only
// The operators of a parameter's update, piece by piece on a CPU.
//
// An update of Adam is nine operators that each go over memory: 20 passes over a parameter where 7 are needed. Over a
// piece that fits the core's cache all but the first reads and last writes stay there. The operators and so the bits
// are PyTorch's: elementwise, they do not see where a piece ends.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>

#include "engine/torch/devices/tensor_list.h"

namespace lanelab {

/// Calls `update` with a piece of each tensor and, last, of a temporary if asked for, whose contents are undefined,
/// until the whole is done; from several threads if the lane has them. `tensors` have one shape and are read and
/// written without autograd. On a GPU, or if the memory layouts differ, the whole is one piece. Throws what torch
/// throws if memory is short, and Stopped.
void updateInPieces(const TensorList& tensors, bool with_temporary,
                    const std::function<void(TensorList& pieces)>& update);

}  // namespace lanelab
