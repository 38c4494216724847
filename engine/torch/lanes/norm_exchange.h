// SPDX-License-Identifier: GPL-3.0-only
// Where the lanes of a replica meet before their updates if gradients are clipped: each needs the norms of all.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>

#include "engine/schedule/replicas.h"
#include "engine/torch/nn/gradient_norm.h"

namespace lanelab {

/// Shared by the lanes of a variant in one process. Rounds are steps, counted from 1 by every lane itself. What waits
/// throws std::runtime_error once the room is closed.
class NormExchange {
 public:
  explicit NormExchange(StageLanes lanes) : m_lanes(std::move(lanes)) {}

  const StageLanes& lanes() const { return m_lanes; }
  /// Before the lanes begin, and after a round that was not finished.
  void open();
  /// Wakes all that wait: a lane has left its round early.
  void close();

  /// Of all stages of the lane. A lane of another process is offered by one that has received its norms.
  void offer(LaneId lane, int round, GradientNorms norms);
  /// Of all lanes of the replica together.
  GradientNorms awaitAll(int replica, int round);

 private:
  struct Offered {
    int round = 0;
    GradientNorms norms;
  };

  const StageLanes m_lanes;
  std::mutex m_mutex;  ///< guards all below
  std::condition_variable m_changed;
  bool m_closed = false;
  std::map<LaneId, Offered> m_offered;
};

}  // namespace lanelab
