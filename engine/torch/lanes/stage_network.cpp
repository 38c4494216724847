// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/stage_network.h"

#include <stdexcept>

namespace lanelab {

at::ScalarType computeType(const TrainingModes& modes) {
  return modes.precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat;
}

at::Tensor asModelInput(const at::Tensor& values, const TrainingModes& modes) {
  return values.is_floating_point() ? values.to(computeType(modes)) : values;
}

StageNetwork::StageNetwork(std::unique_ptr<StageModule> module, const TrainingConfig& training,
                           const TrainingModes& modes, const TensorMap& weights, at::Device device, Rules rules)
    : m_module(std::move(module)),
      m_statistics(modes.batch_norm == BatchNormMode::Deferred ? NormStatistics::Collect
                                                               : NormStatistics::MoveEachTime) {
  installWeights(m_module->slots(), weights, device, imageFormat(training), computeType(modes));
  for (const TensorSlot& slot : m_module->slots()) {
    if (!slot.traits.parameter) continue;
    // A frozen one has a master, too: what is rounded for computing is stored as it was.
    const at::Tensor master = m_masters.add(slot);
    if (!slot.traits.trained) continue;
    m_parameters.push_back(master);
    m_parameter_names.push_back(slot.name);
  }
  m_masters.restore(weights);
  m_module->setStatistics(m_statistics);
  m_module->follow(rules);
  m_optimizer.emplace(training, m_parameters);
}

void StageNetwork::restart(const TensorMap& weights) {
  restoreWeights(m_module->slots(), weights);
  m_masters.restore(weights);
  m_optimizer->reset();
  m_module->setStatistics(m_statistics);  // a recomputed forward may have been left in the middle
}

TensorList StageNetwork::forward(const TensorList& inputs, BlockRecorder& recorder) {
  return m_module->forward(inputs, /*training=*/true, recorder.listener());
}

TensorList StageNetwork::evaluate(const TensorList& inputs) {
  return m_module->forward(inputs, /*training=*/false, nullptr);
}

TensorList StageNetwork::forwardAgain(const TensorList& inputs, BlockRecorder& recorder) {
  m_module->setStatistics(NormStatistics::LeaveAlone);
  TensorList outputs = forward(inputs, recorder);
  m_module->setStatistics(m_statistics);
  return outputs;
}

void StageNetwork::update(double learning_rate) {
  m_module->commitStatistics();
  m_optimizer->step(learning_rate);
  m_masters.round();
}

void StageNetwork::beginStep() {
  m_module->forgetStatistics();
  m_masters.dropGradients();
  for (at::Tensor& parameter : m_parameters) parameter.mutable_grad().reset();
}

NamedTensors StageNetwork::tensors() const {
  NamedTensors named;
  for (const TensorSlot& slot : m_module->slots()) named.emplace_back(slot.name, m_masters.masterOf(slot));
  return named;
}

std::vector<at::Tensor> StageNetwork::buffers() const {
  std::vector<at::Tensor> buffers;
  for (const TensorSlot& slot : m_module->slots()) {
    if (!slot.traits.parameter) buffers.push_back(*slot.tensor);
  }
  return buffers;
}

NamedTensors StageNetwork::state() const {
  NamedTensors named;
  for (const auto& [name, tensor] : tensors()) named.emplace_back("weights/" + name, tensor);
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    for (const auto& [what, tensor] : m_optimizer->remembered(i))
      named.emplace_back("optimizer/" + m_parameter_names[i] + "/" + what, tensor);
  }
  return named;
}

void StageNetwork::setState(const TensorMap& state, int steps) {
  TensorMap weights;
  for (const auto& [name, tensor] : tensors()) {
    const auto found = state.find("weights/" + name);
    if (found == state.end() || found->second.sizes() != tensor.sizes())
      throw std::runtime_error("the checkpoint does not fit the model at " + name);
    weights.emplace(name, found->second);
  }
  restart(weights);
  for (std::size_t i = 0; i < m_parameters.size(); ++i) {
    const std::string prefix = "optimizer/" + m_parameter_names[i] + "/";
    for (auto it = state.lower_bound(prefix); it != state.end() && it->first.starts_with(prefix); ++it) {
      if (it->second.sizes() != m_parameters[i].sizes())
        throw std::runtime_error("the checkpoint does not fit the model at " + it->first);
      m_optimizer->remember(i, it->first.substr(prefix.size()), it->second, steps);
    }
  }
}

}  // namespace lanelab
