// SPDX-License-Identifier: GPL-3.0-only
// What a lane does to clip the gradients of its stages by the norm of all parameters of the network.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/lanes/peers.h"

namespace lanelab {

/// The lane's thread only. Without training.clip_grad_norm it leaves all gradients alone.
class LaneClip {
 public:
  LaneClip(const TrainingJob& job, LaneId lane, int replica, LaneStages& stages);

  /// All lanes at once, before a repeat's first step: ways to the replica's lanes in other processes, in groups that
  /// begin with `name`. `peers` may be null.
  void join(const std::string& name, Peers* peers);
  void beginRepeat() { m_round = 0; }
  void beginStep();

  /// Whether norms of other stages are needed, so that all of the lane's gradients must be there before its first
  /// update.
  bool meetsOthers() const { return m_job.norms != nullptr; }
  /// Since the step began, gather() was called.
  bool gathered() const { return m_factor.has_value(); }
  /// All gradients of the lane are there: waits for the norms of the replica's other lanes.
  void gather();
  /// Before the stage's update.
  void clip(const StageNetwork& network) const;
  void leave();

 private:
  const TrainingJob& m_job;
  const LaneId m_lane;
  LaneStages& m_stages;
  const std::vector<LaneId> m_lanes;  ///< of the replica's stages
  int m_round = 0;
  std::optional<double> m_factor;                       ///< of this step, of all stages
  std::vector<std::unique_ptr<PeerChannel>> m_senders;  ///< to each other process with lanes of the replica
  /// From its lanes there; the process's first lane of the replica receives for all.
  std::map<LaneId, std::unique_ptr<PeerChannel>> m_receivers;
};

}  // namespace lanelab
