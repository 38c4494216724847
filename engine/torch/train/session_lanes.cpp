// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/session_lanes.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/lanes/lane_infos.h"
#include "engine/run/rank_lanes.h"
#include "engine/torch/devices/cpu_lane.h"
#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/lanes/session_peers.h"

namespace lanelab {

namespace {

std::vector<LaneId> lanesWithWork(const Schedule& schedule) {
  std::vector<LaneId> lanes;
  for (std::size_t i = 0; i < schedule.lanes.size(); ++i) {
    if (!schedule.lanes[i].empty()) lanes.push_back(LaneId{i});
  }
  return lanes;
}

/// Every process of a run makes the same sessions in the same order, so a session has the same number in all.
int nextSessionNumber() {
  static std::atomic<int> last = 0;
  return ++last;
}

std::shared_ptr<Peers> peersOf(const TrainingJob& job) {
  std::shared_ptr<Peers> peers = job.peers ? job.peers() : nullptr;
  return peers && peers->size() > 1 ? peers : nullptr;
}

std::unique_ptr<DeviceLane> makeDevice(const Experiment& experiment, LaneId lane) {
  const Device device = experiment.lanes[lane.index()].device;
  if (device.isCpu()) return makeCpuLane(coreGroups(experiment.lanes)[lane.index()]);
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  if (!platform) throw std::runtime_error(why_not);
  return platform->makeLane(device.index, lane);
}

}  // namespace

SessionLanes::SessionLanes(std::shared_ptr<const TrainingJob> job)
    : m_job(std::move(job)),
      m_peers(peersOf(*m_job)),
      m_used(lanesWithWork(m_job->plan.schedule)),
      m_loop(laneInfos(m_job->experiment.lanes), m_job->plan.stageLanes(), m_job->plan.schedule),
      m_number(nextSessionNumber()) {
  if (!m_peers) return;
  m_here = lanesOfRank(m_job->experiment, m_peers->rank());
  std::erase_if(m_used, [&](LaneId lane) { return !m_here[lane.index()]; });
}

Status SessionLanes::start() {
  return m_loop.start(
      [&](LaneId lane) -> std::unique_ptr<LaneWorker> {
        return std::make_unique<TorchLaneWorker>(lane, m_job, makeDevice(m_job->experiment, lane));
      },
      remoteRanks());
}

RemoteRanks SessionLanes::remoteRanks() {
  if (!m_peers) return {};
  const auto carrier = [this](const LinkPlan& link) {
    const LaneId far = link.outgoing ? link.to : link.from;
    const std::string name = "session " + std::to_string(m_number) + "/" + std::to_string(link.from.value) + " to " +
                             std::to_string(link.to.value);
    return carryByPeers(*m_peers, link, m_job->experiment.lanes[far.index()].rank, name);
  };
  return {m_here, carrier, [this](double& seconds, double& loss) { return settleStep(*m_peers, seconds, loss); }};
}

Status SessionLanes::joinReplicas() {
  if (m_job->ties) m_job->ties->open();
  if (m_job->norms) m_job->norms->open();
  if (m_job->plan.replicas() == 1 && !m_job->exchange && !m_peers) return {};
  if (m_job->exchange) m_job->exchange->open();
  const std::shared_ptr<Peers> peers =
      m_peers || m_job->exchange || m_job->plan.replicas() == 1 ? m_peers : m_job->peers();
  const std::string name = "session " + std::to_string(m_number) + "/" + std::to_string(++m_joined);
  return m_loop.onLanes(
      m_used, [&](LaneId, LaneWorker& worker) { static_cast<TorchLaneWorker&>(worker).joinReplicas(name, peers); });
}

bool SessionLanes::includeGpus() const {
  return std::any_of(m_used.begin(), m_used.end(),
                     [&](LaneId lane) { return m_job->experiment.lanes[lane.index()].device.isCuda(); });
}

bool SessionLanes::includeWholeModel() const {
  return std::all_of(m_job->plan.stages.begin(), m_job->plan.stages.end(),
                     [&](const Stage& stage) { return m_here.empty() || m_here[stage.lane.index()]; });
}

Status SessionLanes::evaluateOn(LaneId lane, const LaneWork& work) {
  return m_loop.evaluateOn(lane, [&](LaneWorker& worker) { work(lane, static_cast<TorchLaneWorker&>(worker)); });
}

Status SessionLanes::onLanesInTurn(const std::vector<LaneId>& lanes, const LaneWork& work) {
  for (const LaneId lane : lanes) {
    const Status done =
        m_loop.onLane(lane, [&](LaneWorker& worker) { work(lane, static_cast<TorchLaneWorker&>(worker)); });
    if (!done.ok()) return done;
  }
  return {};
}

Status SessionLanes::onEachOfFirstReplica(const LaneWork& work) {
  std::vector<LaneId> lanes = m_used;
  const StageLanes of_replicas = m_job->plan.stageLanes();
  std::erase_if(lanes, [&](LaneId lane) { return replicaOfLane(of_replicas, lane) != 0; });
  return onLanesInTurn(lanes, work);
}

}  // namespace lanelab
