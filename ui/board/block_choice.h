// SPDX-License-Identifier: GPL-3.0-only
// Which blocks are chosen and where the keyboard is among them. A plain value; blocks are identified by their number.
#pragma once

#include <set>
#include <vector>

#include "engine/model/model_spec.h"

namespace lanelab {

class BlockChoice {
 public:
  const std::set<int>& chosen() const { return m_chosen; }
  bool contains(BlockId block) const { return m_chosen.contains(block.value); }
  std::vector<BlockId> blocks() const;
  int focus() const { return m_focus; }
  /// What a key means: the chosen blocks, else the one that the keyboard is at.
  std::vector<BlockId> blocksForKeys() const;

  /// The model has this number of blocks now.
  void limit(int blocks);
  void choose(std::set<int> blocks) { m_chosen = std::move(blocks); }
  /// With the keyboard at the first of them.
  void chooseFrom(std::set<int> blocks);
  void toggle(int block);
  /// To a block, which alone is chosen then; `extend`: with all from the one where the last walk without it began.
  void walkTo(int block, bool extend);

  bool operator==(const BlockChoice&) const = default;

 private:
  std::set<int> m_chosen;
  int m_focus = 0;
  int m_anchor = 0;
};

}  // namespace lanelab
