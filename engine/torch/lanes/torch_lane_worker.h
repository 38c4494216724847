// SPDX-License-Identifier: GPL-3.0-only
// Trains the stages of one lane: autograd per stage and micro-batch, all of it on the lane's own thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/lanes/lane_worker.h"
#include "engine/torch/devices/device_lane.h"
#include "engine/torch/lanes/lane_clip.h"
#include "engine/torch/lanes/lane_stages.h"
#include "engine/torch/lanes/lane_strategy.h"
#include "engine/torch/lanes/lane_ties.h"
#include "engine/torch/record/block_recorder.h"
#include "profiler/collect/collector.h"

namespace lanelab {

/// When a lane's device did the lane's actions, by marks in its order of work. The lane's thread only.
class DeviceActionClock final : public ActionClock {
 public:
  explicit DeviceActionClock(DeviceLane& device) : m_device(device) {}

  void begin(std::size_t index) override {
    if (m_marks.size() <= index) m_marks.resize(index + 1);
    m_action = index;
    m_marks[index].first = m_device.mark();
  }
  void end(std::size_t index) override { m_marks[index].second = m_device.mark(); }
  TimeRange time(std::size_t index) const override {
    return {m_device.timeOf(m_marks[index].first), m_device.timeOf(m_marks[index].second)};
  }

  /// The present action begins only now: the wait for its input lies in the device's order of work, too.
  void restartAction() {
    if (m_action < m_marks.size()) m_marks[m_action].first = m_device.mark();
  }
  void beginStep() {
    m_marks.clear();
    m_device.forgetMarks();
  }

 private:
  DeviceLane& m_device;
  std::size_t m_action = 0;                                  ///< that the lane works on
  std::vector<std::pair<std::size_t, std::size_t>> m_marks;  ///< by action; empty where nobody asks for its time
};

/// What is known of a lane after a repeat.
struct LaneOutcome {
  std::int64_t peak_bytes = 0;
  std::string notice;  ///< a sentence where its replicas were not joined as they should; mostly empty
};

/// What the lane loop asks for, on the lane's stages and device; other replicas are the strategy's. All exceptions
/// leave with a plain message.
class TorchLaneWorker final : public LaneWorker {
 public:
  TorchLaneWorker(LaneId lane, std::shared_ptr<const TrainingJob> job, std::unique_ptr<DeviceLane> device);

  /// Initial weights and optimizer; spans below the actions go to `trace` as the experiment's record mode says.
  void startRepeat(TraceBuilder* trace);
  /// Joins the lane's stages with those of other replicas, where there are any: all lanes at once. Groups begin with
  /// `name`, which no other joining has; `peers` may be null where nobody is to be joined.
  void joinReplicas(const std::string& name, std::shared_ptr<Peers> peers);
  /// Spans below the actions go there from now on, until endRepeat().
  void recordTo(TraceBuilder* trace);
  LaneOutcome endRepeat();
  /// From now on `collector` hears whose work the lane launches; null: nobody does. It must outlive that.
  void reportLaunchesTo(Collector* collector) { m_collector = collector; }
  LaneStages& stages() { return m_stages; }
  /// Samples whose largest output was their class, since the last call; counted where the last stage is here and
  /// data.epochs is set.
  std::int64_t collectCorrect() { return m_strategy.head->loss().collectCorrect(); }

  TimeRange beginStep(const StepCommand& command) override;
  bool awaitInput(const Packet& input) override;
  bool awaitOthers(const Action& action) override;
  Packet perform(const Action& action, Packet input) override;
  void betweenActions() override { m_blocks.handOver(); }
  void abandonStep(const std::string& why) override;
  double endStep() override;
  std::optional<std::int64_t> heldBytes() const override { return m_device->heldBytes(); }
  ActionClock* deviceClock() override { return m_device->asynchronous() ? &m_clock : nullptr; }

 private:
  /// The step's rows on the device; back comes the time for which they were waited for.
  TimeRange loadRows();
  /// What the action needs of the stage's other replicas, and of stages that share its parameters.
  bool awaitSums(const Action& action);
  /// What goes to the next lane; empty where nothing does. `own` is the action's micro-batch within the lane's replica.
  TensorList compute(const Action& action, MicroBatchId own, const Packet& input);
  TensorList inputsOf(StageId stage, MicroBatchId own, const Packet& packet);
  TensorList passBack(const Action& action, MicroBatchId own, const Packet& gradients);
  TensorList receive(const Packet& packet) { return m_device->receive(*static_cast<const SentTensors*>(packet.get())); }

  const LaneId m_lane;
  const std::shared_ptr<const TrainingJob> m_job;
  const int m_replica;
  const std::unique_ptr<DeviceLane> m_device;
  BlockRecorder m_blocks;
  ReplicaSpans m_replica_spans;
  DeviceActionClock m_clock;
  LaneStages m_stages;
  LaneStrategy m_strategy;
  LaneTies m_ties;
  LaneClip m_clip;
  std::shared_ptr<Peers> m_peers;
  Collector* m_collector = nullptr;
  int m_step = 0;
  std::vector<at::Tensor> m_inputs;  ///< a micro-batch of this step, on the device; only with the first stage
};

}  // namespace lanelab
