// SPDX-License-Identifier: GPL-3.0-only
// One stage in training on one lane: its network, and each micro-batch between its forward and its backward.
#pragma once

#include <functional>
#include <vector>

#include "engine/torch/lanes/loss_head.h"
#include "engine/torch/lanes/stage_network.h"
#include "engine/torch/lanes/training_job.h"
#include "engine/torch/nn/deferred_weights.h"

namespace lanelab {

/// A stage's input is cut off from its sender's graph and collects its own gradient, which goes back in the backward
/// action: x = received.detach().requires_grad_(); y = stage(x); later y.backward(g); send x.grad. A split backward
/// does the same but leaves the weight gradients of convolutions and linear layers for the weight part. On a stage that
/// recomputes, the forward makes no graph and y is computed again before its backward (Chen et al. 2016, as
/// torchgpipe's checkpoint=always).
///
/// The lane's thread only. Micro-batches are counted within the lane's replica. `head` follows the model's last stage;
/// others leave it alone.
class TrainedStage {
 public:
  TrainedStage(const Stage& stage, const TrainingJob& job, at::Device device);

  StageNetwork& network() { return m_network; }
  const StageNetwork& network() const { return m_network; }
  bool recomputes() const { return m_recomputes; }
  void beginRepeat(const TensorMap& weights);

  /// The output for the next stage; undefined for the last one. `input` is undefined where the replica has no rows.
  at::Tensor forward(MicroBatchId k, const at::Tensor& input, LossHead& head, BlockRecorder& recorder);

  /// The whole backward, or its input part. Back comes the gradient of the input; undefined for the model's own.
  /// `gradient` gives the output's when it is needed: what is computed again goes before the wait for it.
  enum class Part { Whole, Input };
  at::Tensor backward(Part part, MicroBatchId k, const std::function<at::Tensor()>& gradient, LossHead& head,
                      BlockRecorder& recorder);
  /// What the input part left.
  void backwardWeight(MicroBatchId k, BlockRecorder& recorder);

 private:
  /// A micro-batch between its forward and its backward.
  struct InFlight {
    at::Tensor input = {};   ///< a leaf; undefined without rows
    at::Tensor output = {};  ///< or the loss, in the last stage; undefined where it is computed again
  };

  StageNetwork m_network;
  bool m_last;  ///< of the model
  bool m_recomputes;
  std::vector<InFlight> m_flights;         ///< by micro-batch
  std::vector<DeferredWeights> m_weights;  ///< between a micro-batch's input part and its weight part
};

}  // namespace lanelab
