#include "engine/torch/torch_lane_worker.h"

#include <ATen/core/grad_mode.h>

#include "engine/run/learning_rate.h"
#include "engine/torch/torch_errors.h"
#include "engine/torch/training_loss.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kNoticeableWait = 50'000;  ///< a batch that lies ready is handed over faster

}  // namespace

TorchLaneWorker::TorchLaneWorker(LaneId lane, std::shared_ptr<const TrainingJob> job, std::unique_ptr<DeviceLane> device)
    : m_lane(lane), m_job(std::move(job)), m_device(std::move(device)), m_loss_kind(lossKindOf(m_job->experiment.training.loss)),
      m_compute_type(computeTypeOf(m_job->plan.modes)), m_blocks(*m_device) {
  withPlainErrors([&] {
    for (const Stage& stage : m_job->plan.stages) {
      if (stage.lane == m_lane) m_stages.try_emplace(stage.id, stage, *m_job, m_device->device());
    }
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
}

void TorchLaneWorker::recordStep(bool on) { m_blocks.pause(!on); }

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
    m_split = m_job->plan.micro_batches.ofBatch(m_job->batches->rowsOf(step).count);
    const bool first = isFirst(m_stages.begin()->first), last = isLast(m_stages.rbegin()->first);
    const Nanoseconds asked = monotonicNow();
    const auto batch = first || last ? m_job->batches->batch(step) : nullptr;
    const Nanoseconds got = monotonicNow();
    m_waited_for_data = got - asked > kNoticeableWait ? TimeRange{asked, got} : TimeRange{};
    for (int k = 0; batch && k < m_split.count(); ++k) {
      const MicroBatchId id{k};
      if (first) m_inputs.push_back(m_device->fromHost(batch->inputs.narrow(0, m_split.begin(id), m_split.size(id))).to(m_compute_type));
      if (last) m_targets.push_back(m_device->fromHost(batch->targets.narrow(0, m_split.begin(id), m_split.size(id))));
    }
    m_device->finish();
  });
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
  return isFirst(stage) ? m_inputs[k.index()] : receive(packet).detach().requires_grad_();
}

at::Tensor TorchLaneWorker::gradientOf(const Packet& packet, bool recompute) {
  if (!packet) return {};
  // What is computed again goes before the wait, so the action has begun.
  return recompute ? m_device->receive(*static_cast<const SentTensor*>(packet.get())) : receive(packet);
}

at::Tensor TorchLaneWorker::lossOf(const at::Tensor& output, MicroBatchId k) const {
  return weightedLoss(m_loss_kind, output.to(at::kFloat), m_targets[k.index()], m_split.weight(k));
}

at::Tensor TorchLaneWorker::outputOf(StageId stage, MicroBatchId k, const Flight& flight) {
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
    Flight& flight = state.flights[k.index()];
    flight.input = inputOf(stage, k, input);
    const at::AutoGradMode with_graph(!state.recompute);
    at::Tensor output = state.network.forward(flight.input, m_blocks);
    if (isLast(stage)) {
      if (m_job->experiment.data.epochs) m_hits.push_back(correctOf(output, m_targets[k.index()]));
      output = lossOf(output, k);
      m_losses.push_back(output.detach());
    }
    m_blocks.endAction();
    if (!state.recompute) flight.output = output;
    return isLast(stage) ? nullptr : packetOf(output.detach());
  });
}

Packet TorchLaneWorker::passBack(StageId stage, ActionKind kind, MicroBatchId k, const Packet& gradient) {
  return withPlainErrors([&]() -> Packet {
    m_blocks.beginAction({stage, kind, k});
    const LaunchScope scope(m_collector, ownerOf(stage, kind, k));
    StageState& state = m_stages.at(stage);
    Flight flight = std::move(state.flights[k.index()]);
    state.flights[k.index()] = {};
    outputOf(stage, k, flight).backward(gradientOf(gradient, state.recompute));
    state.network.takeGradients();
    m_blocks.endAction();
    return isFirst(stage) ? nullptr : packetOf(flight.input.grad());
  });
}

Packet TorchLaneWorker::backward(StageId stage, MicroBatchId k, Packet gradient) { return passBack(stage, ActionKind::Backward, k, gradient); }

Packet TorchLaneWorker::backwardInput(StageId stage, MicroBatchId k, Packet gradient) {
  const InputPartOnly no_weights(m_stages.at(stage).weights[k.index()]);
  return passBack(stage, ActionKind::BackwardInput, k, gradient);
}

void TorchLaneWorker::backwardWeight(StageId stage, MicroBatchId k) {
  withPlainErrors([&] {
    m_blocks.beginAction({stage, ActionKind::BackwardWeight, k});
    const LaunchScope scope(m_collector, ownerOf(stage, ActionKind::BackwardWeight, k));
    StageState& state = m_stages.at(stage);
    state.weights[k.index()].run([this](std::uint32_t block) { m_blocks.beginWeights(block); });
    state.network.takeGradients();
    m_blocks.endAction();
  });
}

void TorchLaneWorker::update(StageId stage) {
  withPlainErrors([&] {
    m_blocks.beginAction({stage, ActionKind::Update, MicroBatchId{0}});
    const LaunchScope scope(m_collector, ownerOf(stage, ActionKind::Update, MicroBatchId{0}));
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
