// SPDX-License-Identifier: GPL-3.0-only
// How a lane works together with the other replicas of its stages: what happens to weights, buffers and gradients
// around its own actions. Its own forwards, backwards and updates know of none.
#pragma once

#include <memory>
#include <string>

#include "engine/schedule/schedule.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// As it is, it serves a lane without other replicas. The lane's thread only. Everything may wait for other replicas,
/// and throws std::runtime_error with a sentence when these are gone. Micro-batches are counted within the lane's
/// replica.
class ReplicaStrategy {
 public:
  virtual ~ReplicaStrategy() = default;

  /// All replicas at once, before a repeat's first step. Groups begin with `name`, which no other joining has.
  virtual void join(const std::string& /*name*/, Peers* /*peers*/) {}
  /// A sentence where they were not joined as they should; empty otherwise.
  virtual std::string notice() const { return {}; }

  virtual void beginStep() {}
  /// Before an action: gets what it needs of other replicas; whether there was anything.
  virtual bool await(const Action&) { return false; }
  virtual void beforeBackward(StageId, MicroBatchId) {}
  virtual void afterBackward() {}
  virtual void beforeUpdate() {}
  /// The lane leaves its step early, and others may wait for it.
  virtual void leave() {}
};

}  // namespace lanelab
