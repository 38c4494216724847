// SPDX-License-Identifier: GPL-3.0-only
// Replicas of a stage joined by PyTorch's own c10d::Reducer, with the settings and calls of
// torch.nn.parallel.DistributedDataParallel.
//
// As there: parameters and buffers of replica 0 at joining, its buffers again at every step; all gradients in one
// bucket in the first step, then in buckets of 1 MiB and 25 MiB in the order in which the gradients came; each bucket
// is summed while the backward pass goes on; gradients are divided by the number of replicas. Source:
// torch/nn/parallel/distributed.py of PyTorch 2.11.
#pragma once

#include <torch/csrc/distributed/c10d/reducer.hpp>

#include <memory>

#include "engine/dist/device_group.h"
#include "engine/dist/watched_backend.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

class ReducerLink final : public ReplicaLink {
 public:
  /// Connects, and gives parameters and buffers the values of replica 0. Throws std::runtime_error with a sentence.
  ReducerLink(const ReplicaMember& member, std::shared_ptr<const GlooWays> ways);
  ~ReducerLink() override;

  void beginStep() override;
  void beforeLastBackward() override;
  /// Without beforeLastBackward(), as after the weight parts of split backwards, all gradients are reduced now.
  void afterLastBackward() override;
  std::string notice() const override { return m_on_device.notice; }

 private:
  void broadcast(const std::vector<at::Tensor>& tensors);
  /// All replicas must have the same parameters; else a sentence names the first that differs.
  void compareParameters();
  void makeReducer();

  ReplicaMember m_member;
  std::shared_ptr<const GlooWays> m_ways;
  c10::intrusive_ptr<WatchedBackend> m_backend;  ///< Gloo's
  DeviceGroup m_on_device;
  c10::intrusive_ptr<c10d::ProcessGroup> m_group;
  std::unique_ptr<c10d::Reducer> m_reducer;
  bool m_reducing = false;  ///< since beforeLastBackward()
};

/// The only replica: nothing to reduce.
class SoleReplica final : public ReplicaLink {
 public:
  void beginStep() override {}
  void beforeLastBackward() override {}
  void afterLastBackward() override {}
};

}  // namespace lanelab
