// SPDX-License-Identifier: GPL-3.0-only
// The single-device reference: one thread, plain loop, micro-batches accumulated in order, PyTorch's SGD written out.
#pragma once

#include "engine/experiment/resolution.h"
#include "engine/torch/data/training_inputs.h"

namespace lanelab {

struct ReferenceResult {
  TensorMap weights;
  TensorMap gradients;  ///< of the last step
  std::vector<double> losses;
};

/// Trains the experiment's steps with micro-batches of `split_size`.
ReferenceResult trainReference(const Experiment& experiment, int split_size);

}  // namespace lanelab
