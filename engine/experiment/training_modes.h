// SPDX-License-Identifier: GPL-3.0-only
// How a variant trains: what its batch norms do, what its stages keep for the backward, in which numbers it computes.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "engine/experiment/experiment.h"
#include "engine/model/model_spec.h"
#include "engine/model/rules.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// The modes of `training`, or the variant's own where it names them.
struct TrainingModes {
  Precision precision = Precision::Fp32;
  /// What batch norms do in training. micro-batch: normalise each micro-batch by itself, running statistics move with
  /// each (PyTorch's layer in a pipeline). deferred: the same, but the running statistics move once a step, by those of
  /// the whole batch. synchronised: normalise the whole batch together, as on a single device; then the stages take it
  /// one after another, as one micro-batch, because every batch norm has to wait for all samples.
  BatchNormMode batch_norm = BatchNormMode::MicroBatch;
  std::vector<Recompute> recompute = {};  ///< by stage

  Recompute recomputeOf(StageId stage) const {
    return stage.index() < recompute.size() ? recompute[stage.index()] : Recompute::None;
  }
  bool operator==(const TrainingModes&) const = default;
};

/// What a variant trains in that names no modes of its own; by stage nothing.
TrainingModes commonModes(const TrainingConfig& training);
/// The modes of a variant of `stages` stages; its own stages to recompute that are none of them are left out.
TrainingModes variantModes(const TrainingConfig& training, const VariantConfig& variant, std::size_t stages);
/// Whether CPU lanes in fp32 have the kernels of LaneLab, and no longer PyTorch's bits.
bool usesFusedKernels(const TrainingConfig& training);
/// What lanes may do otherwise than call by call, where each rule's condition holds (engine/model/rules.h).
Rules rulesOf(const TrainingConfig& training, const ModelSpec& model);
/// By block, the part of its forward that its backward computes again, 0 to 1: for Recompute::Activations an estimate
/// (engine/exported/graph_rules.h).
std::vector<double> forwardAgain(const ModelSpec& model, const std::vector<Stage>& stages, const TrainingModes& modes);
/// In words, only what differs from plain fp32 training: "bf16, deferred batch norm, activations recomputed on stages 0
/// and 1"; or empty.
std::string modesText(const TrainingModes& modes);

}  // namespace lanelab
