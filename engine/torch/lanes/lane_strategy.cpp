// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/lane_strategy.h"

#include "engine/torch/lanes/data_parallel_replica.h"
#include "engine/torch/lanes/ddp_replica.h"
#include "engine/torch/lanes/gathered_loss.h"

namespace lanelab {

namespace {

StepLoss stepLoss(const TrainingJob& job, int parts) {
  return {job.experiment.training.loss, parts, job.experiment.data.epochs.has_value()};
}

LaneStrategy dataParallel(const LaneParts& lane) {
  auto rows = std::make_unique<ReplicaRows>(lane.job.plan, lane.replica, ReplicaRows::Sharding::Chunks);
  auto replica = std::make_unique<DataParallelReplica>(lane);
  auto head = std::make_unique<GatheredLoss>(stepLoss(lane.job, 1), *replica, lane.device);
  return {std::move(rows), std::move(replica), std::move(head)};
}

std::unique_ptr<ReplicaStrategy> ddpOrSingle(const LaneParts& lane) {
  if (lane.job.plan.replicas() > 1) return std::make_unique<DdpReplica>(lane);
  return std::make_unique<SingleReplica>();
}

}  // namespace

LaneStrategy makeLaneStrategy(const LaneParts& lane) {
  if (lane.job.exchange) return dataParallel(lane);
  auto rows = std::make_unique<ReplicaRows>(lane.job.plan, lane.replica, ReplicaRows::Sharding::Strided);
  auto head = std::make_unique<OwnLoss>(stepLoss(lane.job, lane.job.plan.replicas()), *rows, lane.device);
  return {std::move(rows), ddpOrSingle(lane), std::move(head)};
}

}  // namespace lanelab
