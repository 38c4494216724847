// SPDX-License-Identifier: GPL-3.0-only
// A stage of blocks written by hand, one after the other: one tensor in, one tensor out.
#pragma once

#include <vector>

#include "engine/torch/nn/network_block.h"
#include "engine/torch/nn/stage_module.h"

namespace lanelab {

class BlockChain final : public StageModule {
 public:
  explicit BlockChain(NetworkBlocks blocks);

  TensorList forward(const TensorList& inputs, bool training, BlockListener* listener) override;
  void follow(Rules rules) override;
  const std::vector<TensorSlot>& slots() const override { return m_slots; }
  void setStatistics(NormStatistics statistics) override;
  void commitStatistics() override;
  void forgetStatistics() override;

 private:
  NetworkBlocks m_blocks;
  std::vector<TensorSlot> m_slots;
  std::vector<NormLayer*> m_norms;
};

}  // namespace lanelab
