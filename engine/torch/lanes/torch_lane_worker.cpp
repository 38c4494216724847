// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/torch_lane_worker.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/experiment/learning_rate.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/nn/training_loss.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kNoticeableWait = 50'000;  ///< a batch that lies ready is handed over faster

bool hasSplitBackward(const Schedule& schedule) {
  for (const auto& row : schedule.lanes) {
    for (const Action& action : row) {
      if (action.kind == ActionKind::BackwardInput) return true;
    }
  }
  return false;
}

/// Lanes of the variant and of this lane's process on its device.
int lanesOnDevice(const Experiment& experiment, const StageLanes& used, LaneId lane) {
  const LaneConfig& own = experiment.lanes[lane.index()];
  std::set<int> found;
  for (const auto& replica : used) {
    for (const LaneId one : replica) {
      const LaneConfig& other = experiment.lanes[one.index()];
      if (other.device == own.device && other.rank == own.rank) found.insert(one.value);
    }
  }
  return static_cast<int>(found.size());
}

}  // namespace

TorchLaneWorker::TorchLaneWorker(LaneId lane, std::shared_ptr<const TrainingJob> job,
                                 std::unique_ptr<DeviceLane> device)
    : m_lane(lane),
      m_job(std::move(job)),
      m_replica(replicaOfLane(m_job->plan.stageLanes(), lane)),
      m_rows(m_job->plan, m_replica, m_job->room ? ReplicaRows::Sharding::Chunks : ReplicaRows::Sharding::Strided),
      m_device(std::move(device)),
      m_loss_kind(m_job->experiment.training.loss),
      m_compute_type(computeTypeOf(m_job->plan.modes)),
      m_splits_backward(hasSplitBackward(m_job->plan.schedule)),
      m_blocks(*m_device) {
  withPlainErrors([&] {
    const StageLanes lanes = m_job->plan.stageLanes();
    for (const Stage& stage : m_job->plan.stages) {
      if (lanes[static_cast<std::size_t>(m_replica)][stage.id.index()] == m_lane)
        m_stages.try_emplace(stage.id, stage, *m_job, m_device->device());
    }
    if (m_job->room)
      m_gather.emplace(m_job->room, m_replica, m_stages.begin()->second.network.parameters(), *m_device,
                       m_replica_spans);
  });
}

TorchLaneWorker::~TorchLaneWorker() = default;

void TorchLaneWorker::startRepeat(TraceBuilder* trace) {
  withPlainErrors([&] {
    m_losses.clear();
    m_correct = 0;
    for (auto& [id, state] : m_stages) {
      state.flights.assign(state.flights.size(), {});
      state.weights.assign(state.weights.size(), {});
      state.network.restart(m_job->inputs->weights);
    }
    recordTo(trace);
    m_device->finish();
    m_device->restartPeak();
  });
}

void TorchLaneWorker::recordTo(TraceBuilder* trace) {
  const RecordMode mode = m_job->experiment.record;
  const bool operators = mode == RecordMode::Operators;
  m_blocks.record(operators || mode == RecordMode::Blocks ? trace : nullptr, m_lane.value, operators);
  m_replica_spans.record(m_job->plan.replicas() > 1 ? trace : nullptr, m_lane.value);
}

void TorchLaneWorker::recordStep(bool on) {
  m_blocks.pause(!on);
  m_replica_spans.pause(!on);
}

void TorchLaneWorker::endRepeat() { recordTo(nullptr); }

std::vector<std::pair<std::string, at::Tensor>> TorchLaneWorker::weights() const {
  return withPlainErrors([&] {
    m_device->finish();
    std::vector<std::pair<std::string, at::Tensor>> all;
    for (const auto& [id, state] : m_stages) {
      for (auto& [name, tensor] : state.network.tensors()) all.emplace_back(name, tensor.detach().to(at::kCPU));
    }
    return all;
  });
}

std::vector<std::pair<std::string, at::Tensor>> TorchLaneWorker::state() const {
  return withPlainErrors([&] {
    m_device->finish();
    std::vector<std::pair<std::string, at::Tensor>> all;
    for (const auto& [id, stage] : m_stages) {
      for (auto& [name, tensor] : stage.network.state()) all.emplace_back(name, tensor.detach().to(at::kCPU));
    }
    return all;
  });
}

void TorchLaneWorker::setState(const TensorMap& state, int steps) {
  withPlainErrors([&] {
    for (auto& [id, stage] : m_stages) stage.network.setState(state, steps);
    m_device->finish();
  });
}

std::vector<std::pair<std::string, at::Tensor>> TorchLaneWorker::gradients() const {
  return withPlainErrors([&] {
    m_device->finish();
    std::vector<std::pair<std::string, at::Tensor>> all;
    for (const auto& [id, state] : m_stages) {
      for (auto& [name, tensor] : state.network.tensors()) {
        if (tensor.grad().defined()) all.emplace_back(name, tensor.grad().to(at::kCPU));
      }
    }
    return all;
  });
}

at::Tensor TorchLaneWorker::evaluate(StageId stage, const at::Tensor& input) {
  return withPlainErrors([&] {
    const at::NoGradGuard no_grad;
    const at::Tensor output = m_stages.at(stage).network.evaluate(m_device->fromHost(input).to(m_compute_type));
    m_device->finish();
    return output.to(at::kCPU, at::kFloat);
  });
}

void TorchLaneWorker::beginStep(int step) {
  withPlainErrors([&] {
    m_step = step;
    m_blocks.beginStep(step);
    const LaunchScope scope(m_collector, ownerOfStep());
    m_losses.clear();
    m_inputs.clear();
    m_targets.clear();
    m_action_marks.clear();
    m_device->forgetMarks();
    for (auto& [id, state] : m_stages) state.network.beginStep();
    m_hits.clear();
    if (m_gather) m_gather->beginStep();
    m_replica_spans.beginStep(step);
    m_rows.beginBatch(m_job->batches->rowsOf(step).count);
    const bool first = isFirst(m_stages.begin()->first), last = isLast(m_stages.rbegin()->first);
    const Nanoseconds asked = monotonicNow();
    const auto batch = first || last ? m_job->batches->batch(step) : nullptr;
    const Nanoseconds got = monotonicNow();
    m_waited_for_data = got - asked > kNoticeableWait ? TimeRange{asked, got} : TimeRange{};
    if (batch) loadRows(*batch, first, last);
    m_device->finish();
  });
}

/// The loss of data parallelism is taken on the first replica, for the whole batch.
void TorchLaneWorker::loadRows(const Samples& batch, bool first, bool last) {
  const at::Tensor inputs = m_rows.of(batch.inputs), targets = m_gather ? batch.targets : m_rows.of(batch.targets);
  const MicroBatches& split = m_rows.split();
  for (int k = 0; k < split.count(); ++k) {
    const MicroBatchId id{k};
    if (first)
      m_inputs.push_back(m_device->fromHost(inputs.narrow(0, split.begin(id), split.size(id))).to(m_compute_type));
    if (last && !m_gather) m_targets.push_back(m_device->fromHost(targets.narrow(0, split.begin(id), split.size(id))));
  }
  if (m_gather && m_gather->first()) m_targets.push_back(m_device->fromHost(targets));
}

void TorchLaneWorker::joinReplicas(const std::string& name, std::shared_ptr<Peers> peers) {
  withPlainErrors([&] {
    m_peers = std::move(peers);
    if (m_gather) return m_gather->join();
    if (m_job->plan.replicas() == 1) return;
    for (auto& [id, state] : m_stages) {
      ReplicaMember member{name + "/stage " + std::to_string(id.value),
                           m_replica,
                           m_job->plan.replicas(),
                           state.network.parameterNames(),
                           state.network.parameters(),
                           state.network.buffers(),
                           m_device->device(),
                           lanesOnDevice(m_job->experiment, m_job->plan.stageLanes(), m_lane)};
      member.reduced = [this](TimeRange time, std::int64_t bytes) {
        m_replica_spans.add("all-reduce " + formatBytes(bytes), time, Phase::Backward);
      };
      state.link.reset();
      state.link = m_peers->joinReplicas(member);
    }
  });
}

std::string TorchLaneWorker::notice() const {
  for (const auto& [id, state] : m_stages) {
    if (state.link && !state.link->notice().empty()) return state.link->notice();
  }
  return {};
}

bool TorchLaneWorker::awaitOthers(const Action& action) {
  if (m_job->plan.replicas() == 1 && !m_gather) return false;
  return withPlainErrors([&] {
    if (m_gather) return m_gather->await(action.kind);
    ReplicaLink& link = *m_stages.at(action.stage).link;
    if (action.kind == ActionKind::Forward && m_rows.own(action.micro_batch).value == 0) {
      const Nanoseconds began = monotonicNow();
      link.beginStep();
      m_replica_spans.add("broadcast buffers", {began, monotonicNow()}, Phase::Forward);
      return true;
    }
    if (action.kind != ActionKind::Update) return false;
    link.afterLastBackward();
    return true;
  });
}

/// Others may wait for this lane, and then learn that it is gone.
void TorchLaneWorker::abandonStep(const std::string& why) {
  if (m_gather) m_gather->leave();
  if (m_peers) m_peers->abandon(why);
}

bool TorchLaneWorker::awaitInput(const Packet& input) {
  return withPlainErrors([&] { return m_device->await(*static_cast<const SentTensor*>(input.get())); });
}

LaunchOwner TorchLaneWorker::ownerOf(StageId stage, ActionKind kind, MicroBatchId k) const {
  LaunchOwner owner = ownerOfStep();
  owner.stage = static_cast<std::int16_t>(stage.value);
  owner.micro_batch = static_cast<std::int16_t>(k.value);
  owner.phase = phaseOf(kind);
  return owner;
}

LaunchOwner TorchLaneWorker::ownerOfStep() const { return {m_lane.value, m_step, -1, -1, Phase::None}; }

Packet TorchLaneWorker::packetOf(at::Tensor tensor) {
  return std::make_shared<SentTensor>(m_device->send(std::move(tensor)));
}

at::Tensor TorchLaneWorker::receive(const Packet& packet) {
  at::Tensor tensor = m_device->receive(*static_cast<const SentTensor*>(packet.get()));
  // The wait for an asynchronous device's result lies in this device's order of work, and is no part of the action.
  if (m_action < m_action_marks.size()) m_action_marks[m_action].first = m_device->mark();
  return tensor;
}

at::Tensor TorchLaneWorker::inputOf(StageId stage, MicroBatchId k, const Packet& packet) {
  return isFirst(stage) ? m_inputs[indexOf(k)] : receive(packet).detach().requires_grad_();
}

at::Tensor TorchLaneWorker::gradientOf(const Packet& packet, bool recompute) {
  if (!packet) return {};
  // What is computed again goes before the wait, so the action has begun.
  return recompute ? m_device->receive(*static_cast<const SentTensor*>(packet.get())) : receive(packet);
}

at::Tensor TorchLaneWorker::lossOf(const at::Tensor& output, MicroBatchId k) const {
  return weightedLoss(m_loss_kind, output.to(at::kFloat), m_targets[indexOf(k)], m_rows.split().weight(m_rows.own(k)));
}

at::Tensor TorchLaneWorker::outputOf(StageId stage, MicroBatchId k, const InFlight& flight) {
  StageState& state = m_stages.at(stage);
  if (!state.recompute) return flight.output;
  const at::Tensor output = state.network.forwardAgain(flight.input, m_blocks);
  return isLast(stage) ? lossOf(output, k) : output;
}

Packet TorchLaneWorker::forward(StageId stage, MicroBatchId k, Packet input) {
  return withPlainErrors([&]() -> Packet {
    m_blocks.beginAction({stage, ActionKind::Forward, k});
    const LaunchScope scope(m_collector, ownerOf(stage, ActionKind::Forward, k));
    StageState& state = m_stages.at(stage);
    InFlight& flight = state.flights[indexOf(k)];
    if (m_gather) {
      forwardGathered(state, flight);
      m_blocks.endAction();
      return nullptr;
    }
    flight.input = inputOf(stage, k, input);
    const at::AutoGradMode with_graph(!state.recompute);
    at::Tensor output = state.network.forward(flight.input, m_blocks);
    if (isLast(stage)) {
      if (m_job->experiment.data.epochs) m_hits.push_back(correctOf(output, m_targets[indexOf(k)]));
      output = lossOf(output, k);
      m_losses.push_back(output.detach());
    }
    m_blocks.endAction();
    if (!state.recompute) flight.output = output;
    return isLast(stage) ? nullptr : packetOf(output.detach());
  });
}

void TorchLaneWorker::forwardGathered(StageState& state, InFlight& flight) {
  flight = {};
  if (!m_inputs.empty()) {
    flight.input = m_inputs.front();
    const at::AutoGradMode with_graph(!state.recompute);
    const at::Tensor output = state.network.forward(flight.input, m_blocks);
    m_gather->offerOutput(output);
    if (!state.recompute) flight.output = output;
  } else {
    m_gather->offerOutput({});
  }
}

void TorchLaneWorker::backwardGathered(StageState& state, InFlight flight) {
  if (m_gather->first()) {
    const auto loss = [&](const at::Tensor& outputs) {
      return weightedLoss(m_loss_kind, outputs.to(at::kFloat), m_targets.front(), 1);
    };
    m_losses.push_back(m_gather->scatterLossGradient(loss));
    if (m_job->experiment.data.epochs) m_hits.push_back(correctOf(m_gather->outputs(), m_targets.front()));
  }
  const at::Tensor gradient = m_gather->outputGradient();
  if (gradient.defined()) {
    const at::Tensor output = state.recompute ? state.network.forwardAgain(flight.input, m_blocks) : flight.output;
    output.backward(gradient);
  }
  if (!m_gather->first()) m_gather->offerWeightGradients();
}

Packet TorchLaneWorker::passBack(StageId stage, ActionKind kind, MicroBatchId k, const Packet& gradient) {
  return withPlainErrors([&]() -> Packet {
    m_blocks.beginAction({stage, kind, k});
    const LaunchScope scope(m_collector, ownerOf(stage, kind, k));
    StageState& state = m_stages.at(stage);
    InFlight flight = std::move(state.flights[indexOf(k)]);
    state.flights[indexOf(k)] = {};
    if (m_gather) {
      backwardGathered(state, std::move(flight));
      m_blocks.endAction();
      return nullptr;
    }
    if (state.link && !m_splits_backward && m_rows.isLast(k)) state.link->beforeLastBackward();
    outputOf(stage, k, flight).backward(gradientOf(gradient, state.recompute));
    state.network.takeGradients();
    m_blocks.endAction();
    return isFirst(stage) ? nullptr : packetOf(flight.input.grad());
  });
}

Packet TorchLaneWorker::backward(StageId stage, MicroBatchId k, Packet gradient) {
  return passBack(stage, ActionKind::Backward, k, gradient);
}

Packet TorchLaneWorker::backwardInput(StageId stage, MicroBatchId k, Packet gradient) {
  const InputPartOnly no_weights(m_stages.at(stage).weights[indexOf(k)]);
  return passBack(stage, ActionKind::BackwardInput, k, gradient);
}

void TorchLaneWorker::backwardWeight(StageId stage, MicroBatchId k) {
  withPlainErrors([&] {
    m_blocks.beginAction({stage, ActionKind::BackwardWeight, k});
    const LaunchScope scope(m_collector, ownerOf(stage, ActionKind::BackwardWeight, k));
    StageState& state = m_stages.at(stage);
    state.weights[indexOf(k)].run([this](std::uint32_t block) { m_blocks.beginWeights(block); });
    state.network.takeGradients();
    m_blocks.endAction();
  });
}

void TorchLaneWorker::update(StageId stage) {
  withPlainErrors([&] {
    m_blocks.beginAction({stage, ActionKind::Update, MicroBatchId{0}});
    const LaunchScope scope(m_collector, ownerOf(stage, ActionKind::Update, MicroBatchId{0}));
    if (m_gather) m_gather->addWeightGradients();
    m_stages.at(stage).network.update(learningRate(m_job->experiment.training, m_job->experiment.data.steps, m_step));
    m_blocks.endAction();
  });
}

double TorchLaneWorker::endStep() {
  return withPlainErrors([&] {
    const LaunchScope scope(m_collector, ownerOfStep());
    m_device->finish();
    m_blocks.endStep();
    double sum = 0;
    for (const at::Tensor& loss : m_losses) sum += loss.item<double>();
    if (!m_gather) sum /= m_job->plan.replicas();  // the mean over the replicas, of which this lane has one
    for (const at::Tensor& hits : m_hits) m_correct += hits.item<std::int64_t>();
    return sum;
  });
}

void TorchLaneWorker::actionBegins(std::size_t index) {
  if (m_action_marks.size() <= index) m_action_marks.resize(index + 1);
  m_action = index;
  m_action_marks[index].first = m_device->mark();
}

void TorchLaneWorker::actionEnds(std::size_t index) { m_action_marks[index].second = m_device->mark(); }

TimeRange TorchLaneWorker::deviceTime(std::size_t index) const {
  return {m_device->timeOf(m_action_marks[index].first), m_device->timeOf(m_action_marks[index].second)};
}

}  // namespace lanelab
