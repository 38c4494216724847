// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/block_chain.h"

#include <utility>

#include "engine/torch/nn/layers.h"

namespace lanelab {

BlockChain::BlockChain(NetworkBlocks blocks) : m_blocks(std::move(blocks)), m_slots(slotsOf(m_blocks)) {
  for (const auto& block : m_blocks) m_norms.insert(m_norms.end(), block->norms().begin(), block->norms().end());
}

TensorList BlockChain::forward(const TensorList& inputs, bool training, BlockListener* listener) {
  at::Tensor x = inputs.front();
  for (const auto& block : m_blocks) {
    if (listener) listener->beginForward(block->name());
    x = block->forward(x, training);
    if (listener) listener->endForward(x);
  }
  return {std::move(x)};
}

void BlockChain::follow(Rules rules) {
  for (NormLayer* const norm : m_norms) {
    norm->fused = rules.has(Rule::FusedNorm);
    norm->remakes = rules.has(Rule::RemadeActivation);
  }
}

void BlockChain::setStatistics(NormStatistics statistics) {
  for (NormLayer* const norm : m_norms) norm->statistics = statistics;
}

void BlockChain::commitStatistics() {
  for (NormLayer* const norm : m_norms) norm->commit();
}

void BlockChain::forgetStatistics() {
  for (NormLayer* const norm : m_norms) norm->forgetCollected();
}

}  // namespace lanelab
