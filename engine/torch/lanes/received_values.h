// SPDX-License-Identifier: GPL-3.0-only
// Values that a stage receives from the stage before: cut off from that stage's graph, with a place that collects their
// gradients.
//
// A leaf would not do: autograd stores the gradient of a leaf in the memory layout of the leaf, and copies it for that.
// Within one stage the gradient goes on in the layout in which it was computed, and sums over its elements run in the
// order of that layout, so that a cut would change their rounding.
#pragma once

#include <ATen/core/Tensor.h>

namespace lanelab {

/// The same numbers for the stage's own graph; what is computed of it requires gradients. The lane's thread only.
at::Tensor receivedValue(const at::Tensor& value);

/// The gradient of what receivedValue() gave, once: undefined if no backward came to it, or if it is another tensor.
at::Tensor takeGradient(const at::Tensor& received);

}  // namespace lanelab
