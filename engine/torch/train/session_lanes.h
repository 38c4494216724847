// SPDX-License-Identifier: GPL-3.0-only
// The lanes of one session: their threads and workers, and how those of this process work with the lanes of others.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/lanes/step_loop.h"
#include "engine/torch/lanes/torch_lane_worker.h"
#include "engine/torch/lanes/training_job.h"

namespace lanelab {

/// Called from one thread at a time, which is no lane's.
class SessionLanes {
 public:
  using LaneWork = std::function<void(LaneId lane, TorchLaneWorker& worker)>;

  explicit SessionLanes(std::shared_ptr<const TrainingJob> job);
  SessionLanes(const SessionLanes&) = delete;
  SessionLanes& operator=(const SessionLanes&) = delete;

  /// Starts the lanes of this process and builds their stages there. Errors name the lane.
  Status start();
  /// Connects the stages' replicas. Again for each repeat, since one that failed has parted them.
  Status joinReplicas();

  const TrainingJob& job() const { return *m_job; }
  StepLoop& loop() { return m_loop; }
  /// The other processes of the run; null if this is the only one.
  Peers* peers() const { return m_peers.get(); }
  /// Rank 0 alone writes files.
  bool mayWriteFiles() const { return !m_peers || m_peers->rank() == 0; }
  bool includeGpus() const;
  /// Whether all stages of replica 0 are in this process.
  bool includeWholeModel() const;

  /// Runs a forward that trains nothing on the lane's thread, which the trace shows, and waits.
  Status evaluateOn(LaneId lane, const LaneWork& work);
  /// Runs `work` on the thread of one lane of this process after the other, up to the first Error.
  Status onEach(const LaneWork& work) { return onLanesInTurn(m_used, work); }
  /// The same on the lanes of replica 0, whose buffers count: its state is the run's model.
  Status onEachOfFirstReplica(const LaneWork& work);

 private:
  Status onLanesInTurn(const std::vector<LaneId>& lanes, const LaneWork& work);
  RemoteRanks remoteRanks();

  const std::shared_ptr<const TrainingJob> m_job;
  const std::shared_ptr<Peers> m_peers;
  std::vector<bool> m_here;    ///< lanes of this process; empty: all
  std::vector<LaneId> m_used;  ///< lanes of this process with work
  StepLoop m_loop;
  const int m_number;
  int m_joined = 0;  ///< how often replicas were joined
};

}  // namespace lanelab
