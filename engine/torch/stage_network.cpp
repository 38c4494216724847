#include "engine/torch/stage_network.h"

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

StageNetwork::StageNetwork(const ModelSpec& spec, const Stage& stage, const TrainingConfig& training, const TensorMap& weights,
                           at::Device device)
    : m_blocks(blocksOfStage(spec, stage)) {
  for (const auto& block : m_blocks) {
    installWeights(*block, weights, device, imageFormat(training));
    for (const TensorSlot& slot : block->slots()) {
      if (isParameter(slot.role)) m_parameters.push_back(*slot.tensor);
    }
  }
  m_optimizer = makeOptimizer(training, m_parameters);
}

void StageNetwork::restart(const TensorMap& weights) {
  for (const auto& block : m_blocks) restoreWeights(*block, weights);
  m_optimizer->reset();
}

at::Tensor StageNetwork::forward(const at::Tensor& input, BlockRecorder& recorder) {
  at::Tensor x = input;
  for (const auto& block : m_blocks) {
    if (!recorder.on()) {
      x = block->forward(x, /*training=*/true);
      continue;
    }
    const std::size_t begin = recorder.forwardBegins();
    x = block->forward(x, /*training=*/true);
    recorder.forwardEnds(block->name(), begin, x);
  }
  return x;
}

void StageNetwork::dropGradients() {
  for (at::Tensor& parameter : m_parameters) parameter.mutable_grad().reset();
}

std::vector<std::pair<std::string, at::Tensor>> StageNetwork::tensors() const {
  std::vector<std::pair<std::string, at::Tensor>> named;
  for (const auto& block : m_blocks) {
    for (const TensorSlot& slot : block->slots()) named.emplace_back(slot.name, *slot.tensor);
  }
  return named;
}

}  // namespace lanelab
