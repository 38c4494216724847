// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/model_spec.h"

#include <algorithm>
#include <numeric>

namespace lanelab {
std::optional<BlockId> ModelSpec::find(std::string_view block_name) const {
  const auto found = std::ranges::find(blocks, block_name, &BlockSpec::name);
  if (found == blocks.end()) return std::nullopt;
  return BlockId(static_cast<std::size_t>(found - blocks.begin()));
}

std::int64_t ModelSpec::parameters() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.parameters; });
}

std::int64_t ModelSpec::frozenParameters() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.frozen_parameters; });
}

std::int64_t ModelSpec::macs() const {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0},
                         [](std::int64_t sum, const BlockSpec& b) { return sum + b.macs; });
}

bool ModelSpec::remakesActivations() const {
  return std::ranges::any_of(blocks, [](const BlockSpec& block) { return block.remade_share > 0; });
}

}  // namespace lanelab
