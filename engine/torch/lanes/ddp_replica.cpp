// SPDX-License-Identifier: GPL-3.0-only
// One lane's part in distributed data parallelism.
#include <map>
#include <set>

#include "base/text.h"
#include "engine/torch/lanes/lane_strategy.h"

namespace lanelab {

namespace {

/// Lanes of the variant and of this lane's process on its device.
int lanesOnDevice(const Experiment& experiment, const StageLanes& used, LaneId lane) {
  const LaneConfig& own = experiment.lanes[lane.index()];
  std::set<LaneId> found;
  for (const auto& replica : used) {
    for (const LaneId one : replica) {
      const LaneConfig& other = experiment.lanes[one.index()];
      if (other.device == own.device && other.rank == own.rank) found.insert(one);
    }
  }
  return static_cast<int>(found.size());
}

class DdpReplica final : public ReplicaStrategy {
 public:
  explicit DdpReplica(const LaneParts& lane)
      : m_lane(lane),
        m_last(lane.job.plan.micro_batches.count() - 1),
        m_splits_backward(splitsBackward(lane.job.plan.schedule)) {}

  void join(const std::string& name, Peers* peers) override {
    for (const StageId stage : m_lane.stages.ids()) {
      std::unique_ptr<ReplicaLink>& link = m_links[stage];
      link.reset();  // its group ends before the next one begins
      link = peers->joinReplicas(memberOf(stage, name + "/stage " + std::to_string(stage.value)));
    }
  }

  std::string notice() const override {
    for (const auto& [stage, link] : m_links) {
      if (link && !link->notice().empty()) return link->notice();
    }
    return {};
  }

  bool await(const Action& action) override {
    ReplicaLink& link = *m_links.at(action.stage);
    if (action.kind == ActionKind::Forward && action.micro_batch.value == 0) {
      const Nanoseconds began = monotonicNow();
      link.beginStep();
      m_lane.spans.add("broadcast buffers", {began, monotonicNow()}, Phase::Forward);
      return true;
    }
    if (action.kind != ActionKind::Update) return false;
    link.afterLastBackward();
    return true;
  }

  void beforeBackward(StageId stage, MicroBatchId k) override {
    if (!m_splits_backward && k == m_last) m_links.at(stage)->beforeLastBackward();
  }

 private:
  ReplicaMember memberOf(StageId stage, const std::string& group) const {
    const StageNetwork& network = m_lane.stages.at(stage).network();
    const VariantPlan& plan = m_lane.job.plan;
    ReplicaMember member{group,
                         m_lane.replica,
                         plan.replicas(),
                         network.parameterNames(),
                         network.parameters(),
                         network.buffers(),
                         m_lane.device.device(),
                         lanesOnDevice(m_lane.job.experiment, plan.stageLanes(), m_lane.lane)};
    member.reduced = [&spans = m_lane.spans](TimeRange time, std::int64_t bytes) {
      spans.add("all-reduce " + formatBytes(bytes), time, Phase::Backward);
    };
    return member;
  }

  const LaneParts m_lane;
  const MicroBatchId m_last;  ///< of a step
  /// Some weight gradients come after the last backward, so that all are reduced before the update.
  const bool m_splits_backward;
  std::map<StageId, std::unique_ptr<ReplicaLink>> m_links;
};

}  // namespace

std::unique_ptr<ReplicaStrategy> makeDdpReplica(const LaneParts& lane) { return std::make_unique<DdpReplica>(lane); }

}  // namespace lanelab
