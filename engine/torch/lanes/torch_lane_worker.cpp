// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/torch_lane_worker.h"

#include "engine/experiment/learning_rate.h"
#include "engine/lanes/action_span.h"
#include "engine/torch/devices/thread_team.h"
#include "engine/torch/devices/torch_errors.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kNoticeableWait = 50'000;  ///< a batch that is ready is handed over faster

LaunchOwner stepOwner(LaneId lane, int step) { return {lane.value, step, -1, -1, Phase::None}; }

LaunchOwner actionOwner(LaneId lane, int step, const Action& action) {
  LaunchOwner owner = stepOwner(lane, step);
  owner.stage = static_cast<std::int16_t>(action.stage.value);
  owner.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
  owner.phase = phaseOf(action.kind);
  return owner;
}

}  // namespace

TorchLaneWorker::TorchLaneWorker(LaneId lane, std::shared_ptr<const TrainingJob> job,
                                 std::unique_ptr<DeviceLane> device)
    : m_lane(lane),
      m_job(std::move(job)),
      m_replica(replicaOfLane(m_job->plan.stageLanes(), lane)),
      m_device(std::move(device)),
      m_blocks(*m_device),
      m_clock(*m_device),
      m_stages(*m_job, m_lane, m_replica, *m_device),
      m_strategy(makeLaneStrategy({*m_job, m_lane, m_replica, m_stages, *m_device, m_replica_spans})),
      m_ties(*m_job, m_stages),
      m_clip(*m_job, m_lane, m_replica, m_stages) {
  dismissThreadTeam();  // which built the stages; other sessions may run before this one
}

void TorchLaneWorker::startRepeat(TraceBuilder* trace) {
  withPlainErrors([&] {
    m_strategy.head->loss().beginRepeat();
    m_stages.beginRepeat();
    m_clip.beginRepeat();
    recordTo(trace);
    m_device->finish();
    m_device->restartPeak();
  });
}

void TorchLaneWorker::recordTo(TraceBuilder* trace) {
  const RecordMode mode = m_job->experiment.record;
  const bool operators = mode == RecordMode::Operators;
  m_blocks.record(operators || mode == RecordMode::Blocks ? trace : nullptr, m_lane, operators);
  m_replica_spans.record(m_job->plan.replicas() > 1 ? trace : nullptr, m_lane);
}

LaneOutcome TorchLaneWorker::endRepeat() {
  recordTo(nullptr);
  dismissThreadTeam();
  return {m_device->peakBytes(), m_strategy.replicas->notice()};
}

void TorchLaneWorker::joinReplicas(const std::string& name, std::shared_ptr<Peers> peers) {
  withPlainErrors([&] {
    m_peers = std::move(peers);
    m_strategy.replicas->join(name, m_peers.get());
    m_clip.join(name, m_peers.get());
  });
}

TimeRange TorchLaneWorker::beginStep(const StepCommand& command) {
  return withPlainErrors([&] {
    m_step = command.step;
    m_blocks.beginStep(command);
    m_replica_spans.beginStep(command);
    const LaunchScope scope(m_collector, stepOwner(m_lane, m_step));
    m_inputs.clear();
    m_clock.beginStep();
    m_stages.beginStep(m_step);
    m_strategy.head->loss().beginStep();
    m_strategy.replicas->beginStep();
    m_ties.beginStep();
    m_clip.beginStep();
    const TimeRange waited = loadRows();
    m_device->finish();
    return waited;
  });
}

TimeRange TorchLaneWorker::loadRows() {
  m_strategy.rows->beginBatch(m_job->batches->rowsOf(m_step).count);
  if (!m_stages.holdsFirst() && !m_stages.holdsLast()) return {};
  const Nanoseconds asked = monotonicNow();
  const auto batch = m_job->batches->batch(m_step);
  const Nanoseconds got = monotonicNow();
  if (m_stages.holdsFirst()) {
    for (const at::Tensor& rows : m_strategy.rows->microBatches(batch->inputs))
      m_inputs.push_back(asModelInput(m_device->fromHost(rows), m_job->plan.modes));
  }
  if (m_stages.holdsLast()) m_strategy.head->load(batch->targets);
  return got - asked > kNoticeableWait ? TimeRange{asked, got} : TimeRange{};
}

bool TorchLaneWorker::awaitInput(const Packet& input) {
  return withPlainErrors([&] { return m_device->await(*static_cast<const SentTensors*>(input.get())); });
}

bool TorchLaneWorker::awaitOthers(const Action& action) {
  return withPlainErrors([&] {
    if (action.kind != ActionKind::Update || !m_clip.meetsOthers()) return awaitSums(action);
    if (m_clip.gathered()) return false;
    for (const StageId stage : m_stages.ids()) awaitSums({stage, ActionKind::Update, action.micro_batch});
    m_clip.gather();
    return true;
  });
}

bool TorchLaneWorker::awaitSums(const Action& action) {
  const bool joined = m_strategy.replicas->await({action.stage, action.kind, m_strategy.rows->own(action.micro_batch)});
  return (action.kind == ActionKind::Update && m_ties.await(action.stage)) || joined;
}

/// Others may wait for this lane, and then learn that it is gone.
void TorchLaneWorker::abandonStep(const std::string& why) {
  m_strategy.replicas->leave();
  m_ties.leave();
  m_clip.leave();
  if (m_peers) m_peers->abandon(why);
}

Packet TorchLaneWorker::perform(const Action& action, Packet input) {
  return withPlainErrors([&]() -> Packet {
    m_blocks.beginAction(action);
    const LaunchScope scope(m_collector, actionOwner(m_lane, m_step, action));
    TensorList results = compute(action, m_strategy.rows->own(action.micro_batch), input);
    if (endsBackward(action.kind)) m_ties.afterBackward(action.stage);
    m_blocks.endAction();
    return results.empty() ? nullptr : std::make_shared<SentTensors>(m_device->send(std::move(results)));
  });
}

TensorList TorchLaneWorker::compute(const Action& action, MicroBatchId own, const Packet& input) {
  TrainedStage& stage = m_stages.at(action.stage);
  switch (action.kind) {
    case ActionKind::Forward: return stage.forward(own, inputsOf(action.stage, own, input), *m_strategy.head, m_blocks);
    case ActionKind::Backward:
    case ActionKind::BackwardInput: return passBack(action, own, input);
    case ActionKind::BackwardWeight: stage.backwardWeight(own, m_blocks); break;
    case ActionKind::Update:
      m_strategy.replicas->beforeUpdate();
      m_clip.clip(stage.network());
      stage.network().update(learningRate(m_job->experiment.training, m_job->experiment.data.steps, m_step));
      break;
  }
  return {};
}

TensorList TorchLaneWorker::inputsOf(StageId stage, MicroBatchId own, const Packet& packet) {
  if (stage.value == 0) return own.index() < m_inputs.size() ? TensorList{m_inputs[own.index()]} : TensorList();
  TensorList received = receive(packet);
  m_clock.restartAction();
  return received;
}

TensorList TorchLaneWorker::passBack(const Action& action, MicroBatchId own, const Packet& gradients) {
  TrainedStage& stage = m_stages.at(action.stage);
  const auto received = [&] {
    TensorList tensors = receive(gradients);
    // What is computed again goes before the wait, so the action has begun.
    if (!stage.recomputes()) m_clock.restartAction();
    return tensors;
  };
  const auto part = action.kind == ActionKind::Backward ? TrainedStage::Part::Whole : TrainedStage::Part::Input;
  m_strategy.replicas->beforeBackward(action.stage, own);
  TensorList of_inputs = stage.backward(part, own, received, *m_strategy.head, m_blocks);
  m_strategy.replicas->afterBackward();
  return of_inputs;
}

double TorchLaneWorker::endStep() {
  return withPlainErrors([&] {
    const LaunchScope scope(m_collector, stepOwner(m_lane, m_step));
    m_device->finish();
    m_blocks.endStep();
    return m_strategy.head->loss().endStep();
  });
}

}  // namespace lanelab
