// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/model_spec.h"

#include <algorithm>

namespace lanelab {
namespace {

std::int64_t sumOver(const std::vector<BlockSpec>& blocks, std::int64_t BlockSpec::*number) {
  std::int64_t sum = 0;
  for (const BlockSpec& block : blocks) sum += block.*number;
  return sum;
}

}  // namespace

std::optional<BlockId> ModelSpec::find(std::string_view block_name) const {
  const auto found = std::ranges::find(blocks, block_name, &BlockSpec::name);
  if (found == blocks.end()) return std::nullopt;
  return BlockId(static_cast<std::size_t>(found - blocks.begin()));
}

std::int64_t ModelSpec::parameters() const { return sumOver(blocks, &BlockSpec::parameters); }
std::int64_t ModelSpec::frozenParameters() const { return sumOver(blocks, &BlockSpec::frozen_parameters); }
std::int64_t ModelSpec::macs() const { return sumOver(blocks, &BlockSpec::macs); }

bool ModelSpec::remakesActivations() const {
  return std::ranges::any_of(blocks, [](const BlockSpec& block) { return block.remade_share > 0; });
}

}  // namespace lanelab
