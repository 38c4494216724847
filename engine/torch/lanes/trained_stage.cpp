// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/trained_stage.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include <optional>
#include <utility>

#include "engine/torch/lanes/received_values.h"

namespace lanelab {

namespace {

/// Gradients of all outputs that have one, for one pass through the stage's graph.
void runBackward(const TensorList& outputs, const TensorList& gradients) {
  TensorList roots, of_roots;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!gradients[i].defined() || !outputs[i].requires_grad()) continue;
    roots.push_back(outputs[i]);
    of_roots.push_back(gradients[i]);
  }
  if (!roots.empty()) torch::autograd::backward(roots, of_roots);
}

/// Of those that the training allows, what the plan asks of the stage.
Rules rulesOf(const TrainingJob& job, StageId stage) {
  Rules rules = lanelab::rulesOf(job.experiment.training, job.model);
  if (job.plan.modes.recomputeOf(stage) != Recompute::Activations) rules = rules.without(Rule::RemadeActivation);
  return splitsBackward(job.plan.schedule) ? rules : rules.without(Rule::SplitBackward);
}

}  // namespace

TrainedStage::TrainedStage(const Stage& stage, const TrainingJob& job, at::Device device)
    : m_network(builtModule(job.inputs->modules, stage.first, stage.end), job.experiment.training, job.plan.modes,
                job.inputs->weights, device, rulesOf(job, stage.id)),
      m_first(stage.id.value == 0),
      m_last(stage.id.index() + 1 == job.plan.stages.size()),
      m_recomputes(job.plan.modes.recomputeOf(stage.id) == Recompute::Stage),
      m_flights(static_cast<std::size_t>(job.plan.micro_batches.count())),
      m_weights(m_flights.size()) {}

void TrainedStage::beginRepeat(const TensorMap& weights) {
  m_flights.assign(m_flights.size(), {});
  m_weights.assign(m_weights.size(), {});
  m_network.restart(weights);
}

void TrainedStage::beginStep(std::uint64_t seed) {
  m_seed = seed;
  m_network.beginStep();
}

void TrainedStage::beginGraph(TensorList& inputs) const {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_floating_point() && m_network.differentiable(i)) inputs[i] = receivedValue(inputs[i]);
  }
}

TensorList TrainedStage::forward(MicroBatchId k, TensorList inputs, LossHead& head, BlockRecorder& recorder) {
  if (!m_first) beginGraph(inputs);
  InFlight& flight = m_flights[k.index()];
  flight = {std::move(inputs)};
  const at::AutoGradMode with_graph(!m_recomputes);
  seed(k);
  TensorList outputs = flight.inputs.empty() ? TensorList() : m_network.forward(flight.inputs, recorder);
  if (m_last) outputs = {head.forward(k, outputs.empty() ? at::Tensor() : outputs.front())};
  if (!m_recomputes) flight.outputs = outputs;
  if (m_last) return {};
  for (at::Tensor& output : outputs) output = output.detach();
  return outputs;
}

TensorList TrainedStage::backward(Part part, MicroBatchId k, const std::function<TensorList()>& gradients,
                                  LossHead& head, BlockRecorder& recorder) {
  std::optional<InputPartOnly> no_weights;
  if (part == Part::Input) no_weights.emplace(m_weights[k.index()]);
  InFlight flight = std::exchange(m_flights[k.index()], {});
  const at::Tensor of_loss = m_last ? head.gradient() : at::Tensor();
  if (flight.inputs.empty()) return {};
  seed(k);
  TensorList outputs = m_recomputes ? m_network.forwardAgain(flight.inputs, recorder) : std::move(flight.outputs);
  if (m_recomputes && m_last) outputs = {head.forwardAgain(k, outputs.front())};
  if (m_last) {
    // What is trained may not reach the loss, as when all of it is frozen.
    if (outputs.front().requires_grad()) outputs.front().backward(of_loss);
  } else {
    runBackward(outputs, gradients());
  }
  m_network.collectGradients();
  if (m_first) return {};
  for (at::Tensor& input : flight.inputs) input = takeGradient(input);
  return std::move(flight.inputs);
}

void TrainedStage::backwardWeight(MicroBatchId k, BlockRecorder& recorder) {
  m_weights[k.index()].run([&recorder](std::uint32_t block) { recorder.beginWeights(block); });
  m_network.collectGradients();
}

}  // namespace lanelab
