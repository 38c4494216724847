// SPDX-License-Identifier: GPL-3.0-only
// The other processes of a run, and what joins replicas: the seam between training and whatever carries tensors from
// one to the other.
//
// engine/dist implements it by PyTorch's c10d; the words and calls follow torch.nn.parallel.DistributedDataParallel.
// Everything here throws std::runtime_error with a sentence; one about a lost process names it as "rank N".
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/torch/devices/tensor_list.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// A lane's replica of one stage. Used on the lane's thread only. As it is, of the only replica: nothing to reduce.
class ReplicaLink {
 public:
  virtual ~ReplicaLink() = default;
  /// Before the step's first forward: buffers come from replica 0.
  virtual void beginStep() {}
  /// The next backward is the step's last of this stage: gradients are reduced in buckets while it runs. Earlier
  /// micro-batches only accumulate.
  virtual void beforeLastBackward() {}
  /// Waits until the mean over the replicas lies in each parameter's gradient. Without beforeLastBackward() the
  /// reduction begins only now.
  virtual void afterLastBackward() {}
  /// A sentence for the run where replicas were not joined as they should; empty otherwise.
  virtual std::string notice() const { return {}; }
};

/// One replica of a stage that wants to be joined with the others of its group.
struct ReplicaMember {
  std::string group;  ///< the same for all replicas of the stage, and no other group's
  int replica = 0;
  int replicas = 1;
  std::vector<std::string> names;  ///< of the parameters
  std::vector<at::Tensor> parameters;
  std::vector<at::Tensor> buffers;
  at::Device device = at::kCPU;
  int lanes_on_device = 1;  ///< of this process, this one too
  /// Told of each bucket that was reduced, on the lane's thread, within afterLastBackward(); may be empty.
  std::function<void(TimeRange time, std::int64_t bytes)> reduced = {};
};

/// Lists of tensors from one process to another, first in, first out. How many a number has, and shape and type of
/// each, are agreed when it goes for the first time, and checked from then on; undefined tensors stay undefined.
class PeerChannel {
 public:
  virtual ~PeerChannel() = default;
  /// Returns when the tensors may be used again.
  virtual void send(int number, const TensorList& tensors) = 0;
  virtual TensorList receive(int number) = 0;
};

/// All processes make the same calls in the same order, each from one thread, except where the call names a group.
class Peers {
 public:
  virtual ~Peers() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Every process gets every process's bytes, by rank.
  virtual std::vector<std::string> exchange(const std::string& mine) = 0;

  /// Called by every member of the group, each on its lane's thread; returns when all are there, with parameters and
  /// buffers of replica 0 in all.
  virtual std::unique_ptr<ReplicaLink> joinReplicas(const ReplicaMember& member) = 0;

  /// This process cannot continue: all that waits for peers, here and in other processes, ends with a sentence that
  /// says why. Any thread. Peers are of no more use then.
  virtual void abandon(const std::string& why) = 0;
  /// What went wrong between the processes, waiting so long for it: a sentence that names the rank. Any thread.
  virtual std::optional<std::string> fault(std::chrono::milliseconds within) const = 0;

  /// A way from this process to `to`, or from `from` to this one; both ends name the same group.
  virtual std::unique_ptr<PeerChannel> openSender(int to, const std::string& group) = 0;
  virtual std::unique_ptr<PeerChannel> openReceiver(int from, const std::string& group) = 0;
};

/// Within one process each training gets peers of its own, since lanes that fail part for good; across processes all
/// have the same.
using PeersFactory = std::function<std::shared_ptr<Peers>()>;

}  // namespace lanelab
