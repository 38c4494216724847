// SPDX-License-Identifier: GPL-3.0-only
// The single-device reference that every strategy is held against: one thread, one plain loop over all blocks.
//
// It shares with the lanes what a variant does not change (blocks, kernels, loss, data, initial weights) and nothing
// else: no schedule, stages, mailboxes or loader, nothing is recomputed, and the update rules and bf16's masters are
// written out again.
#pragma once

#include <compare>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/torch/data/training_inputs.h"

namespace lanelab {

/// Where the numbers of a training first are infinite or not a number.
struct NotFinite {
  int step = 0;          ///< from 0
  std::string gradient;  ///< of this parameter; empty: the loss
  bool operator==(const NotFinite&) const = default;
};

struct PlainResult {
  std::vector<double> losses;                ///< a step
  TensorMap gradients;                       ///< of the last step
  TensorMap weights;                         ///< parameters and buffers after it
  std::set<std::string> parameters = {};     ///< of these, by name: also frozen ones, and those without a gradient
  std::optional<NotFinite> not_finite = {};  ///< of losses and gradients
};

/// How the reference goes through a batch.
struct PlainOrder {
  int split_size =
      1;  ///< samples a micro-batch; these go one after the other, and their gradients are accumulated in that order
  /// Copies of the network that each go through rows of their own, one after the other; the running statistics are the
  /// first one's.
  int replicas = 1;
  /// Rows in chunks, the loss of all outputs together, and gradients summed, as torch.nn.DataParallel; else rows r, r +
  /// R, ..., a loss each, and the mean of the gradients, as DistributedDataParallel.
  bool gathered = false;

  auto operator<=>(const PlainOrder&) const = default;
};

/// Trains experiment.data.steps steps in training's precision and batch-norm mode. On the calling thread, which needs
/// one intra-op thread for results that repeat bit for bit. Throws what torch throws; std::runtime_error when the model
/// cannot be built. A stop is honoured between steps and leaves the losses short.
PlainResult trainPlainly(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs,
                         const PlainOrder& order, std::stop_token stop);

}  // namespace lanelab
