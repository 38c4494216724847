// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/block_choice.h"

#include <algorithm>

namespace lanelab {

std::vector<BlockId> BlockChoice::blocks() const {
  std::vector<BlockId> blocks;
  for (const int block : m_chosen) blocks.emplace_back(block);
  return blocks;
}

std::vector<BlockId> BlockChoice::blocksForKeys() const {
  return m_chosen.empty() ? std::vector<BlockId>{BlockId(m_focus)} : blocks();
}

void BlockChoice::limit(int blocks) {
  m_focus = std::clamp(m_focus, 0, std::max(0, blocks - 1));
  m_anchor = std::clamp(m_anchor, 0, std::max(0, blocks - 1));
  std::erase_if(m_chosen, [blocks](int block) { return block >= blocks; });
}

void BlockChoice::chooseFrom(std::set<int> blocks) {
  if (!blocks.empty()) m_focus = m_anchor = *blocks.begin();
  m_chosen = std::move(blocks);
}

void BlockChoice::toggle(int block) {
  if (m_chosen.erase(block) == 0) m_chosen.insert(block);
  m_focus = m_anchor = block;
}

void BlockChoice::walkTo(int block, bool extend) {
  m_focus = block;
  if (!extend) m_anchor = block;
  m_chosen.clear();
  for (int i = std::min(m_anchor, m_focus); i <= std::max(m_anchor, m_focus); ++i) m_chosen.insert(i);
}

}  // namespace lanelab
