// SPDX-License-Identifier: GPL-3.0-only
// One stage in training on one lane: its network, and each micro-batch between its forward and its backward.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/torch/lanes/loss_head.h"
#include "engine/torch/lanes/stage_network.h"
#include "engine/torch/lanes/training_job.h"
#include "engine/torch/nn/deferred_weights.h"
#include "engine/torch/nn/random_seed.h"

namespace lanelab {

/// A stage's inputs are cut off from their sender's graph and collect their own gradients (received_values.h), which go
/// back in the backward action: x = receivedValue(sent); y = stage(x); later backward(y, g); send takeGradient(x).
/// Values that are not differentiable, such as ids and masks, have none; a value that the stage passes on unchanged
/// gets its gradient by way of x itself. A split backward does the same but leaves the weight gradients of convolutions
/// and linear layers for the weight part. On a stage of Recompute::Stage, the forward makes no graph and y is computed
/// again before its backward (Chen et al. 2016, as torchgpipe's checkpoint=always).
///
/// The lane's thread only. Micro-batches are counted within the lane's replica. `head` follows the model's last stage;
/// others leave it alone.
class TrainedStage {
 public:
  TrainedStage(const Stage& stage, const TrainingJob& job, at::Device device);

  /// Without gradients; `seed` is that of the step (random_seed.h).
  void beginStep(std::uint64_t seed);

  StageNetwork& network() { return m_network; }
  const StageNetwork& network() const { return m_network; }
  bool recomputes() const { return m_recomputes; }
  void beginRepeat(const TensorMap& weights);

  /// What goes to the next stage; empty for the last one. `inputs` are empty where the replica has no rows.
  TensorList forward(MicroBatchId k, TensorList inputs, LossHead& head, BlockRecorder& recorder);

  /// The whole backward, or its input part. Back come the gradients of the inputs, as many as there are; empty for the
  /// model's own. `gradients` gives the outputs' when they are needed: what is computed again goes before the wait for
  /// them.
  enum class Part { Whole, Input };
  TensorList backward(Part part, MicroBatchId k, const std::function<TensorList()>& gradients, LossHead& head,
                      BlockRecorder& recorder);
  /// What the input part left.
  void backwardWeight(MicroBatchId k, BlockRecorder& recorder);

 private:
  /// A micro-batch between its forward and its backward.
  struct InFlight {
    TensorList inputs = {};   ///< empty without rows
    TensorList outputs = {};  ///< or the loss, in the last stage; empty where they are computed again
  };

  void beginGraph(TensorList& inputs) const;
  void seed(MicroBatchId k) { m_network.seed(mixedSeed(m_seed, static_cast<std::uint64_t>(k.value))); }

  StageNetwork m_network;
  bool m_first, m_last;  ///< of the model
  bool m_recomputes;     ///< its whole forward
  std::uint64_t m_seed = 0;
  std::vector<InFlight> m_flights;         ///< by micro-batch
  std::vector<DeferredWeights> m_weights;  ///< between a micro-batch's input part and its weight part
};

}  // namespace lanelab
