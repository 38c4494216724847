// SPDX-License-Identifier: GPL-3.0-only
// One lane's part in data parallelism: what it copies, waits for and hands on in every step.
#pragma once

#include <functional>
#include <memory>

#include "engine/schedule/schedule.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/data_parallel.h"
#include "engine/torch/record/replica_spans.h"

namespace lanelab {

/// The lane's thread only. Throws what the room throws.
class DataParallelReplica {
 public:
  /// `parameters` are the lane's own, in the order that all replicas have.
  DataParallelReplica(std::shared_ptr<DataParallelExchange> room, int replica, std::vector<at::Tensor> parameters,
                      DeviceLane& device, ReplicaSpans& spans);

  /// All replicas at once.
  void join();
  void leave() { m_room->close(); }
  bool first() const { return m_replica == 0; }
  void beginStep() { ++m_round; }

  /// Before an action: copies the weights, waits for outputs, for the gradient, or for the others' gradients; whether
  /// there was anything.
  bool await(ActionKind kind);

  /// The replica's forward is done; undefined where it had no rows.
  void offerOutput(const at::Tensor& output);
  /// On the first replica after await(): takes the loss of all outputs, and gives every replica its part of the
  /// gradient; the loss comes back.
  at::Tensor scatterLossGradient(const std::function<at::Tensor(const at::Tensor& outputs)>& loss);
  /// Of the lane's own output, after await() and, on the first replica, after the loss.
  at::Tensor outputGradient();
  /// The replica's backward is done.
  void offerWeightGradients();
  /// On the first replica after await(): adds the others' gradients to its own.
  void addWeightGradients();
  const at::Tensor& outputs() const { return m_gathered; }  ///< of the whole batch, after the loss

 private:
  void copyWeights();
  /// A tensor of another lane's device on this one's.
  at::Tensor here(const at::Tensor& tensor) const;

  std::shared_ptr<DataParallelExchange> m_room;
  int m_replica;
  std::vector<at::Tensor> m_parameters;
  DeviceLane& m_device;
  ReplicaSpans& m_spans;
  int m_round = 0;
  std::vector<at::Tensor> m_source;   ///< the first replica's parameters
  std::vector<at::Tensor> m_outputs;  ///< of all replicas
  at::Tensor m_gathered;
  at::Tensor m_gradient;
  std::vector<std::vector<at::Tensor>> m_weight_gradients;  ///< of the others
};

}  // namespace lanelab
