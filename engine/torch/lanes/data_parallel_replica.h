// SPDX-License-Identifier: GPL-3.0-only
// One lane's part in data parallelism: what it copies, waits for and hands on in every step.
#pragma once

#include "engine/torch/lanes/data_parallel_exchange.h"
#include "engine/torch/lanes/lane_parts.h"
#include "engine/torch/lanes/replica_strategy.h"

namespace lanelab {

/// Of a lane with the whole model. Throws what the exchange throws.
class DataParallelReplica final : public ReplicaStrategy {
 public:
  explicit DataParallelReplica(const LaneParts& lane);

  void join(const std::string& name, Peers* peers) override;
  void beginStep() override { ++m_round; }
  /// Copies the weights, or waits for outputs, for the gradient, or for the others' gradients.
  bool await(const Action& action) override;
  void afterBackward() override;
  void beforeUpdate() override;
  void leave() override { exchange().close(); }

  bool first() const { return m_lane.replica == 0; }
  /// The replica's forward is done; undefined where it had no rows.
  void offerOutput(const at::Tensor& output);
  /// On the first replica after await(): the outputs of the whole batch, a leaf that collects its gradient.
  at::Tensor gatherOutputs();
  /// Gives every replica its part of that gradient.
  void scatterGradient(const at::Tensor& gradient);
  /// Of the lane's own output, after await() and, on the first replica, after scatterGradient(). Undefined without
  /// rows.
  at::Tensor outputGradient();

 private:
  DataParallelExchange& exchange() const { return *m_lane.job.exchange; }
  void copyWeights();
  /// A tensor of another lane's device on this one's.
  at::Tensor here(const at::Tensor& tensor) const;

  const LaneParts m_lane;
  const std::vector<at::Tensor> m_parameters;  ///< the lane's own, in the order that all replicas have
  int m_round = 0;
  std::vector<at::Tensor> m_source;   ///< the first replica's parameters
  std::vector<at::Tensor> m_outputs;  ///< of all replicas
  at::Tensor m_gradient;
  std::vector<std::vector<at::Tensor>> m_weight_gradients;  ///< of the others
};

}  // namespace lanelab
