// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/trained_stage.h"

#include <ATen/core/grad_mode.h>

#include <optional>
#include <utility>

namespace lanelab {

TrainedStage::TrainedStage(const Stage& stage, const TrainingJob& job, at::Device device)
    : m_network(job.model, stage, job.experiment.training, job.plan.modes, job.inputs->weights, device),
      m_last(stage.id.index() + 1 == job.plan.stages.size()),
      m_recomputes(job.plan.modes.recomputes(stage.id)),
      m_flights(static_cast<std::size_t>(job.plan.micro_batches.count())),
      m_weights(m_flights.size()) {}

void TrainedStage::beginRepeat(const TensorMap& weights) {
  m_flights.assign(m_flights.size(), {});
  m_weights.assign(m_weights.size(), {});
  m_network.restart(weights);
}

at::Tensor TrainedStage::forward(MicroBatchId k, const at::Tensor& input, LossHead& head, BlockRecorder& recorder) {
  InFlight& flight = m_flights[k.index()];
  flight = {input};
  const at::AutoGradMode with_graph(!m_recomputes);
  at::Tensor output = input.defined() ? m_network.forward(input, recorder) : at::Tensor();
  if (m_last) output = head.forward(k, output);
  if (!m_recomputes) flight.output = output;
  return m_last ? at::Tensor() : output.detach();
}

at::Tensor TrainedStage::backward(Part part, MicroBatchId k, const std::function<at::Tensor()>& gradient,
                                  LossHead& head, BlockRecorder& recorder) {
  std::optional<InputPartOnly> no_weights;
  if (part == Part::Input) no_weights.emplace(m_weights[k.index()]);
  const InFlight flight = std::exchange(m_flights[k.index()], {});
  const at::Tensor of_loss = m_last ? head.gradient() : at::Tensor();
  if (!flight.input.defined()) return {};
  at::Tensor output = m_recomputes ? m_network.forwardAgain(flight.input, recorder) : flight.output;
  if (m_recomputes && m_last) output = head.forwardAgain(k, output);
  output.backward(m_last ? of_loss : gradient());
  m_network.collectGradients();
  return flight.input.grad();
}

void TrainedStage::backwardWeight(MicroBatchId k, BlockRecorder& recorder) {
  m_weights[k.index()].run([&recorder](std::uint32_t block) { recorder.beginWeights(block); });
  m_network.collectGradients();
}

}  // namespace lanelab
