// SPDX-License-Identifier: GPL-3.0-only
// One lane's part in data parallelism: what it copies, waits for and hands on in every step.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <numeric>
#include <utility>

#include "engine/schedule/replicas.h"
#include "engine/torch/lanes/lane_strategy.h"

namespace lanelab {

namespace {

/// A replica's part of what is gathered: rows, or one loss.
std::int64_t partOf(const at::Tensor& output) { return output.dim() == 0 ? 1 : output.size(0); }

class DataParallelReplica final : public ReplicaStrategy {
 public:
  explicit DataParallelReplica(const LaneParts& lane)
      : m_lane(lane), m_parameters(lane.stages.at(StageId{0}).network().parameters()) {}

  void join(const std::string&, Peers*) override {
    m_round = 0;
    if (first()) exchange().weights.offer(0, m_round, m_parameters);
    m_source = exchange().weights.await({0}, m_round).front();
  }
  void beginStep() override { ++m_round; }
  void leave() override { exchange().close(); }

  /// Copies the weights, or waits for outputs, for the gradient, or for the others' gradients.
  bool await(const Action& action) override {
    const Nanoseconds began = monotonicNow();
    const auto done = [&](const char* what, Phase phase) {
      m_lane.spans.add(what, {began, monotonicNow()}, phase);
      return true;
    };
    if (action.kind == ActionKind::Forward) {
      if (first()) return false;
      copyWeights();
      return done("replicate weights", Phase::Forward);
    }
    if (action.kind == ActionKind::Backward && first()) {
      m_outputs = exchange().outputs.take(replicasFrom(0), m_round);
      return done("gather outputs", Phase::Backward);
    }
    if (action.kind == ActionKind::Backward) {
      m_gradient = exchange().gradients.take({m_lane.replica}, m_round).front();
      return done("wait for the gradient", Phase::Backward);
    }
    m_weight_gradients = exchange().weight_gradients.take(replicasFrom(1), m_round);
    return done("wait for the gradients", Phase::Update);
  }

  void afterBackward() override {
    if (first()) return;  // its gradients are where the others' are added
    m_lane.device.finish();
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& parameter : m_parameters) gradients.push_back(parameter.grad());
    exchange().weight_gradients.offer(m_lane.replica, m_round, std::move(gradients));
  }

  void beforeUpdate() override {
    const at::NoGradGuard no_grad;
    for (const std::vector<at::Tensor>& gradients : m_weight_gradients) {
      for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        if (gradients[i].defined()) m_parameters[i].mutable_grad().add_(here(gradients[i]));
      }
    }
    m_weight_gradients.clear();
  }

  bool first() const { return m_lane.replica == 0; }

  /// The replica's forward is done; undefined where it had no rows.
  void offerOutput(const at::Tensor& output) {
    m_lane.device.finish();
    exchange().outputs.offer(m_lane.replica, m_round, output.defined() ? output.detach() : output);
  }

  /// On the first replica after await(): the outputs of the whole batch, or the losses of the replicas, a leaf that
  /// collects its gradient.
  at::Tensor gatherOutputs() {
    std::vector<at::Tensor> parts;
    for (const at::Tensor& output : m_outputs) {
      if (output.defined()) parts.push_back(here(output.dim() == 0 ? output.reshape({1}) : output));
    }
    return at::cat(parts).requires_grad_();
  }

  /// Gives every replica its part of that gradient.
  void scatterGradient(const at::Tensor& gradient) {
    m_lane.device.finish();
    std::vector<std::int64_t> sizes;
    for (const at::Tensor& output : m_outputs) sizes.push_back(output.defined() ? partOf(output) : 0);
    const std::vector<at::Tensor> gradients = gradient.split_with_sizes(sizes);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const at::Tensor part = sizes[i] == 0 ? at::Tensor() : gradients[i].reshape(m_outputs[i].sizes());
      if (i == 0) m_gradient = part;
      exchange().gradients.offer(static_cast<int>(i), m_round, part);
    }
    m_outputs.clear();
  }

  /// Of the lane's own output, after await() and, on the first replica, after scatterGradient(). Undefined without
  /// rows.
  at::Tensor outputGradient() { return m_gradient.defined() ? here(std::exchange(m_gradient, {})) : at::Tensor(); }

 private:
  DataParallelExchange& exchange() const { return *m_lane.job.exchange; }
  std::vector<int> replicasFrom(int first) const {
    std::vector<int> replicas(static_cast<std::size_t>(m_lane.job.plan.replicas() - first));
    std::iota(replicas.begin(), replicas.end(), first);
    return replicas;
  }

  void copyWeights() {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) m_parameters[i].copy_(m_source[i]);
    m_lane.device.finish();
  }

  /// A tensor of another lane's device on this one's.
  at::Tensor here(const at::Tensor& tensor) const { return tensor.to(m_lane.device.device()); }

  const LaneParts m_lane;
  const std::vector<at::Tensor> m_parameters;  ///< the lane's own, in the order that all replicas have
  int m_round = 0;
  std::vector<at::Tensor> m_source;   ///< the first replica's parameters
  std::vector<at::Tensor> m_outputs;  ///< of all replicas
  at::Tensor m_gradient;
  std::vector<std::vector<at::Tensor>> m_weight_gradients;  ///< of the others
};

/// Taken on the first replica, of all replicas' outputs together.
class GatheredLoss final : public LossHead {
 public:
  /// `replica` and `lane` must live as long.
  GatheredLoss(StepLoss loss, DataParallelReplica& replica, const LaneParts& lane)
      : LossHead(std::move(loss)),
        m_replica(replica),
        m_device(lane.device),
        m_replicas(lane.job.plan.replicas()),
        m_gives_loss(lane.job.experiment.training.loss == Loss::Output) {}

  void load(const at::Tensor& targets) override {
    if (m_replica.first()) m_targets = m_device.fromHost(targets);
  }
  at::Tensor forward(MicroBatchId, const at::Tensor& output) override {
    m_replica.offerOutput(output);
    return output;
  }
  at::Tensor forwardAgain(MicroBatchId, const at::Tensor& output) override { return output; }
  at::Tensor gradient() override {
    if (m_replica.first()) {
      const at::Tensor outputs = m_replica.gatherOutputs();
      loss().add(m_gives_loss ? meanOfLosses(outputs.to(at::kFloat), samples()) : outputs, m_targets, 1).backward();
      m_replica.scatterGradient(outputs.grad());
    }
    return m_replica.outputGradient();
  }

 private:
  /// Of the replicas that have some.
  std::vector<int> samples() const { return chunkSizes(static_cast<int>(m_targets.size(0)), m_replicas); }

  DataParallelReplica& m_replica;
  DeviceLane& m_device;
  const int m_replicas;
  const bool m_gives_loss;
  at::Tensor m_targets;  ///< of the whole batch, on the device; only on the first replica
};

}  // namespace

LaneStrategy makeDataParallelStrategy(const LaneParts& lane, StepLoss loss) {
  auto rows = std::make_unique<ReplicaRows>(lane.job.plan, lane.replica);
  auto replica = std::make_unique<DataParallelReplica>(lane);
  auto head = std::make_unique<GatheredLoss>(std::move(loss), *replica, lane);
  return {std::move(rows), std::move(replica), std::move(head)};
}

}  // namespace lanelab
