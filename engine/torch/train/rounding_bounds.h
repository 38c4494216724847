// SPDX-License-Identifier: GPL-3.0-only
// How far rounding alone moves the numbers of a training, found by experiment.
//
// Some gradients are 0 in exact numbers: that of a key's bias in attention, or of a bias before a batch norm. What is
// computed of them is rounding, so any other order of additions gives other numbers, and Adam, which divides a gradient
// by its own size, moves such a parameter by whole steps in any direction. Their size does not tell them from gradients
// that are small but right. Therefore the reference is trained again from weights that differ in their last bit: what
// that moves far is rounding, and what it leaves in place must be met. Any thread.
#pragma once

#include "engine/experiment/training_modes.h"
#include "engine/torch/train/reference_training.h"
#include "engine/torch/train/tensor_comparison.h"

namespace lanelab {

/// The most trainings from which bounds are made. A tensor of one number may hardly move in one of them.
inline constexpr int kRoundingTrainings = 3;

/// Bounds of the tensors of one reference.
struct MeasuredRounding {
  int trainings = 0;
  RoundingBounds gradients;  ///< at most `most` times the largest gradient of the network
  RoundingBounds weights;    ///< parameters and buffers
};

/// `weights` with each parameter's numbers moved up or down by the least that `precision` knows; `gradients` names the
/// parameters. Each training has directions of its own.
TensorMap nudged(const TensorMap& weights, const TensorMap& gradients, Precision precision, int training);

/// Adds what came of a training from nudged weights to the bounds of the reference. `most` is of a gradient's bound, as
/// a share of the network's largest gradient: where rounding moves more than that, the training is chaotic.
void widen(MeasuredRounding& rounding, const PlainResult& reference, const PlainResult& moved, Precision precision,
           double most);

}  // namespace lanelab
