// SPDX-License-Identifier: GPL-3.0-only
// Trains the stages of one lane: autograd a stage and micro-batch, all of it on the lane's own thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/variant_plan.h"
#include "engine/lanes/lane_worker.h"
#include "engine/torch/data/batch_loader.h"
#include "engine/torch/data/replica_rows.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/data_parallel_replica.h"
#include "engine/torch/lanes/peers.h"
#include "engine/torch/lanes/stage_network.h"
#include "engine/torch/nn/deferred_weights.h"
#include "engine/torch/record/block_recorder.h"
#include "engine/torch/record/replica_spans.h"
#include "profiler/collect/collector.h"

namespace lanelab {

/// What the workers of a variant share. Immutable while they live.
struct TrainingJob {
  Experiment experiment;
  ModelSpec model;
  VariantPlan plan;
  std::shared_ptr<const TrainingInputs> inputs;
  std::shared_ptr<BatchLoader> batches = nullptr;  ///< the session's; it starts and stops it
  PeersFactory peers = {};  ///< join the replicas of ddp, and reach lanes of other processes; may be empty
  std::shared_ptr<DataParallelExchange> room = nullptr;  ///< of data-parallel
};

/// A stage's input is cut off from its sender's graph and collects its own gradient, which goes back in the backward
/// action: x = received.detach().requires_grad_(); y = stage(x); later y.backward(g); send x.grad. A split backward
/// does the same but leaves the weight gradients of convolutions and linear layers for the weight part. On a stage that
/// recomputes, the forward makes no graph and y is computed again before its backward (Chen et al. 2016, as
/// torchgpipe's checkpoint=always). All exceptions leave with a plain message.
class TorchLaneWorker final : public LaneWorker {
 public:
  TorchLaneWorker(LaneId lane, std::shared_ptr<const TrainingJob> job, std::unique_ptr<DeviceLane> device);
  ~TorchLaneWorker() override;

  /// Initial weights and optimizer; spans below the actions go to `trace` as the experiment's record mode says.
  void startRepeat(TraceBuilder* trace);
  /// Joins the lane's stages with those of other replicas, where there are any: all lanes at once. Groups begin with
  /// `name`, which no other joining has; `peers` may be null where nobody is to be joined.
  void joinReplicas(const std::string& name, std::shared_ptr<Peers> peers);
  /// A sentence where they were not joined as they should; empty otherwise.
  std::string notice() const;
  /// Spans below the actions go there from now on, until endRepeat().
  void recordTo(TraceBuilder* trace);
  void endRepeat();
  /// From now on `collector` hears whose work the lane launches; null: nobody does. It must outlive that.
  void reportLaunchesTo(Collector* collector) { m_collector = collector; }
  std::int64_t peakBytes() const { return m_device->peakBytes(); }
  /// Under torchvision's names, on the host.
  std::vector<std::pair<std::string, at::Tensor>> weights() const;
  /// All that a checkpoint needs of this lane, on the host.
  std::vector<std::pair<std::string, at::Tensor>> state() const;
  /// Goes on after `steps` steps. Throws where the checkpoint is not of this model.
  void setState(const TensorMap& state, int steps);
  /// Of the last step; parameters without one are left out.
  std::vector<std::pair<std::string, at::Tensor>> gradients() const;

  /// Samples whose largest output was their class, since the last call; counted where the last stage is here and
  /// data.epochs is set.
  std::int64_t takeCorrect() { return std::exchange(m_correct, 0); }
  /// A stage in eval mode without autograd, from host to host.
  at::Tensor evaluate(StageId stage, const at::Tensor& input);

  void recordStep(bool on) override;
  void beginStep(int step) override;
  TimeRange waitedForData() const override { return m_waited_for_data; }
  bool awaitInput(const Packet& input) override;
  bool awaitOthers(const Action& action) override;
  void abandonStep(const std::string& why) override;
  Packet forward(StageId stage, MicroBatchId k, Packet input) override;
  Packet backward(StageId stage, MicroBatchId k, Packet gradient) override;
  Packet backwardInput(StageId stage, MicroBatchId k, Packet gradient) override;
  void backwardWeight(StageId stage, MicroBatchId k) override;
  void update(StageId stage) override;
  void betweenActions() override { m_blocks.handOver(); }
  double endStep() override;

  std::optional<std::int64_t> heldBytes() const override { return m_device->heldBytes(); }

  bool asynchronous() const override { return m_device->asynchronous(); }
  void actionBegins(std::size_t index) override;
  void actionEnds(std::size_t index) override;
  TimeRange deviceTime(std::size_t index) const override;

 private:
  /// A micro-batch between its forward and its backward.
  struct InFlight {
    at::Tensor input;   ///< a leaf; undefined for the model's first stage
    at::Tensor output;  ///< or the loss, in the last stage; undefined where it is computed again
  };
  struct StageState {
    StageState(const Stage& stage, const TrainingJob& job, at::Device device)
        : network(job.model, stage, job.experiment.training, job.plan.modes, job.inputs->weights, device),
          recompute(job.plan.modes.recomputes(stage.id)),
          flights(static_cast<std::size_t>(job.plan.micro_batches.count())),
          weights(flights.size()) {}
    StageNetwork network;
    std::unique_ptr<ReplicaLink> link = nullptr;  ///< to the stage's other replicas
    bool recompute;
    std::vector<InFlight> flights;
    std::vector<DeferredWeights> weights;  ///< between a micro-batch's input part and its weight part
  };

  /// A micro-batch's place among those of this lane's replica.
  std::size_t indexOf(MicroBatchId k) const { return m_rows.own(k).index(); }
  void loadRows(const Samples& batch, bool first, bool last);
  void forwardGathered(StageState& state, InFlight& flight);
  void backwardGathered(StageState& state, InFlight flight);
  bool isFirst(StageId stage) const { return stage.value == 0; }
  bool isLast(StageId stage) const { return stage.index() + 1 == m_job->plan.stages.size(); }
  /// From another lane. On a device that tells its own times the present action begins behind it.
  at::Tensor receive(const Packet& packet);
  at::Tensor inputOf(StageId stage, MicroBatchId k, const Packet& packet);
  /// Undefined for the last stage, whose loss needs none.
  at::Tensor gradientOf(const Packet& packet, bool recompute);
  at::Tensor lossOf(const at::Tensor& output, MicroBatchId k) const;
  /// A flight's output with its graph: kept, or computed again.
  at::Tensor outputOf(StageId stage, MicroBatchId k, const InFlight& flight);
  /// The stage's backward, whole or its input part, up to the packet for the stage before.
  Packet passBack(StageId stage, ActionKind kind, MicroBatchId k, const Packet& gradient);
  LaunchOwner ownerOf(StageId stage, ActionKind kind, MicroBatchId k) const;
  LaunchOwner ownerOfStep() const;
  Packet packetOf(at::Tensor tensor);

  LaneId m_lane;
  std::shared_ptr<const TrainingJob> m_job;
  int m_replica;
  ReplicaRows m_rows;
  std::unique_ptr<DeviceLane> m_device;
  Loss m_loss_kind;
  at::ScalarType m_compute_type;
  bool m_splits_backward;  ///< some weight gradients come after the last backward, so replicas are reduced before the
                           ///< update
  BlockRecorder m_blocks;
  std::map<StageId, StageState> m_stages;
  std::shared_ptr<Peers> m_peers;
  ReplicaSpans m_replica_spans;
  std::optional<DataParallelReplica> m_gather;  ///< of data-parallel
  Collector* m_collector = nullptr;
  int m_step = 0;
  std::vector<at::Tensor> m_inputs;   ///< a micro-batch of this step, on the device; only with the first stage
  std::vector<at::Tensor> m_targets;  ///< likewise with the last stage
  std::vector<at::Tensor> m_losses;   ///< weighted, of this step
  TimeRange m_waited_for_data;
  std::vector<at::Tensor> m_hits;  ///< of this step: right answers of each micro-batch
  std::int64_t m_correct = 0;
  std::size_t m_action = 0;  ///< that the lane works on: its place in m_action_marks
  std::vector<std::pair<std::size_t, std::size_t>> m_action_marks;  ///< empty where the device has no times of its own
};

}  // namespace lanelab
