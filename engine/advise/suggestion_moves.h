// SPDX-License-Identifier: GPL-3.0-only
// The single moves of blocks that a placement allows: blocks next to a boundary between two stages go over it.
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/resolution.h"

namespace lanelab {

struct BlockMove {
  VariantConfig variant;  ///< the present one with other cuts or another placement
  std::string words;      ///< "Move layer3.0 to lane 0"
};

/// One to three blocks over each boundary, either way, by boundary; no stage is left empty. Only between lanes of one
/// kind (device, threads): of another kind nobody has measured how long the blocks take there. None for a variant of
/// one stage.
std::vector<BlockMove> blockMoves(const ResolvedVariant& variant);

}  // namespace lanelab
