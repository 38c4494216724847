// The single-device reference that every strategy is held against: one thread, one plain loop over all blocks.
//
// It shares with the lanes what a variant does not change (blocks, loss, data, initial weights) and nothing else: no schedule, stages, mailboxes or
// loader, nothing is recomputed, and the update rules and bf16's masters are written out anew.
#pragma once

#include <stop_token>
#include <vector>

#include "engine/torch/training_inputs.h"

namespace lanelab {

struct PlainResult {
  std::vector<double> losses;  ///< a step
  TensorMap gradients;         ///< of the last step
  TensorMap weights;           ///< parameters and buffers after it
};

/// Trains experiment.data.steps steps in training's precision and batch-norm mode, each with its micro-batches of `split_size` one after the other, their gradients accumulated in that order.
/// On the calling thread, which needs one intra-op thread for results that repeat bit for bit. Throws what torch throws; std::runtime_error
/// when the model cannot be built. A stop is honoured between steps and leaves the losses short.
PlainResult trainPlainly(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs, int split_size, std::stop_token stop);

}  // namespace lanelab
