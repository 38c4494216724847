// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/stage_network.h"

#include <stdexcept>

namespace lanelab {

namespace {

NetworkBlocks blocksOfStage(const ModelSpec& spec, const Stage& stage) {
  Result<NetworkBlocks> all = makeBlocks(spec);
  if (!all.ok()) throw std::runtime_error(all.error().message);
  NetworkBlocks chosen;
  for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i) chosen.push_back(std::move((*all)[i]));
  return chosen;
}

}  // namespace

at::ScalarType computeType(const TrainingModes& modes) {
  return modes.precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat;
}

StageNetwork::StageNetwork(const ModelSpec& spec, const Stage& stage, const TrainingConfig& training,
                           const TrainingModes& modes, const TensorMap& weights, at::Device device)
    : m_blocks(blocksOfStage(spec, stage)),
      m_statistics(modes.batch_norm == BatchNormMode::Deferred ? NormStatistics::Collect
                                                               : NormStatistics::MoveEachTime) {
  for (const auto& block : m_blocks) {
    installWeights(*block, weights, device, imageFormat(training), computeType(modes));
    for (const TensorSlot& slot : block->slots()) {
      if (!isParameter(slot.role)) continue;
      m_parameters.push_back(m_masters.add(slot));
      m_parameter_names.push_back(slot.name);
    }
    m_norms.insert(m_norms.end(), block->norms().begin(), block->norms().end());
  }
  m_masters.restore(weights);
  setStatistics(m_statistics);
  m_optimizer = makeOptimizer(training, m_parameters);
}

void StageNetwork::restart(const TensorMap& weights) {
  for (const auto& block : m_blocks) restoreWeights(*block, weights);
  m_masters.restore(weights);
  m_optimizer->reset();
  setStatistics(m_statistics);  // a recomputed forward may have been left in the middle
}

void StageNetwork::setStatistics(NormStatistics statistics) {
  for (NormLayer* const norm : m_norms) norm->statistics = statistics;
}

at::Tensor StageNetwork::forward(const at::Tensor& input, BlockRecorder& recorder) {
  at::Tensor x = input;
  for (const auto& block : m_blocks) {
    if (recorder.on()) recorder.beginForward(block->name());
    x = block->forward(x, /*training=*/true);
    if (recorder.on()) recorder.endForward(x);
  }
  return x;
}

at::Tensor StageNetwork::evaluate(const at::Tensor& input) {
  at::Tensor x = input;
  for (const auto& block : m_blocks) x = block->forward(x, /*training=*/false);
  return x;
}

at::Tensor StageNetwork::forwardAgain(const at::Tensor& input, BlockRecorder& recorder) {
  setStatistics(NormStatistics::LeaveAlone);
  at::Tensor output = forward(input, recorder);
  setStatistics(m_statistics);
  return output;
}

void StageNetwork::update(double learning_rate) {
  for (NormLayer* const norm : m_norms) norm->commit();
  m_optimizer->step(learning_rate);
  m_masters.round();
}

void StageNetwork::beginStep() {
  for (NormLayer* const norm : m_norms) norm->forgetCollected();
  m_masters.dropGradients();
  for (at::Tensor& parameter : m_parameters) parameter.mutable_grad().reset();
}

NamedTensors StageNetwork::tensors() const {
  NamedTensors named;
  for (const auto& block : m_blocks) {
    for (const TensorSlot& slot : block->slots()) named.emplace_back(slot.name, m_masters.masterOf(slot));
  }
  return named;
}

std::vector<at::Tensor> StageNetwork::buffers() const {
  std::vector<at::Tensor> buffers;
  for (const auto& block : m_blocks) {
    for (const TensorSlot& slot : block->slots()) {
      if (!isParameter(slot.role)) buffers.push_back(*slot.tensor);
    }
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
