// SPDX-License-Identifier: GPL-3.0-only
// What may follow a batch norm and is done in the same pass over memory (engine/torch/kernels/fused_norm.h).
#pragma once

namespace lanelab {

enum class NormActivation : unsigned char { None, Relu, Relu6, Silu, Hardswish };

/// Whether its gradient follows from what it made; of the others it follows from what it read.
constexpr bool isKnownByItsOutput(NormActivation activation) {
  return activation == NormActivation::None || activation == NormActivation::Relu ||
         activation == NormActivation::Relu6;
}

}  // namespace lanelab
