// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/lane_strategy.h"

#include "engine/experiment/training_targets.h"

namespace lanelab {

namespace {

StepLoss stepLoss(const TrainingJob& job, int parts) {
  const TrainingConfig& training = job.experiment.training;
  const bool counts = job.experiment.data.epochs && answersPerSample(training, job.model) > 0;
  return {LossRule(training), parts, counts};
}

/// The loss of the lane's own rows.
class OwnLoss final : public LossHead {
 public:
  /// `rows` and `device` must live as long.
  OwnLoss(StepLoss loss, const ReplicaRows& rows, DeviceLane& device)
      : LossHead(std::move(loss)), m_rows(rows), m_device(device) {}

  void load(const at::Tensor& targets) override {
    loss().beginBatch(targets);
    m_targets.clear();
    for (const at::Tensor& rows : m_rows.microBatches(targets)) m_targets.push_back(m_device.fromHost(rows));
  }
  at::Tensor forward(MicroBatchId k, const at::Tensor& output) override {
    return loss().add(output, m_targets[k.index()], m_rows.split().weight(k));
  }
  at::Tensor forwardAgain(MicroBatchId k, const at::Tensor& output) override {
    return loss().again(output, m_targets[k.index()], m_rows.split().weight(k));
  }
  at::Tensor gradient() override { return {}; }

 private:
  const ReplicaRows& m_rows;
  DeviceLane& m_device;
  std::vector<at::Tensor> m_targets;  ///< a micro-batch of this step, on the device
};

}  // namespace

LaneStrategy makeLaneStrategy(const LaneParts& lane) {
  if (lane.job.exchange) return makeDataParallelStrategy(lane, stepLoss(lane.job, 1));
  const int replicas = lane.job.plan.replicas();
  auto rows = std::make_unique<ReplicaRows>(lane.job.plan, lane.replica);
  auto head = std::make_unique<OwnLoss>(stepLoss(lane.job, replicas), *rows, lane.device);
  return {std::move(rows), replicas > 1 ? makeDdpReplica(lane) : std::make_unique<ReplicaStrategy>(), std::move(head)};
}

}  // namespace lanelab
