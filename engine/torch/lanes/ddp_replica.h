// SPDX-License-Identifier: GPL-3.0-only
// One lane's part in distributed data parallelism: a link to the other replicas for each of its stages.
#pragma once

#include <map>
#include <memory>

#include "engine/torch/lanes/lane_parts.h"
#include "engine/torch/lanes/replica_strategy.h"

namespace lanelab {

class DdpReplica final : public ReplicaStrategy {
 public:
  explicit DdpReplica(const LaneParts& lane);

  void join(const std::string& name, Peers* peers) override;
  std::string notice() const override;
  bool await(const Action& action) override;
  void beforeBackward(StageId stage, MicroBatchId k) override;

 private:
  ReplicaMember memberOf(StageId stage, const std::string& group) const;

  const LaneParts m_lane;
  const MicroBatchId m_last;  ///< of a step
  /// Some weight gradients come after the last backward, so that all are reduced before the update.
  const bool m_splits_backward;
  std::map<StageId, std::unique_ptr<ReplicaLink>> m_links;
};

}  // namespace lanelab
