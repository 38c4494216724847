// SPDX-License-Identifier: GPL-3.0-only
// What the board reads out of the variant that it shows: samples per micro-batch, replicas, memory, words for costs.
#pragma once

#include <QString>
#include <vector>

#include "ui/board/board_state.h"
#include "ui/board/lane_memory.h"

namespace lanelab {

/// Per micro-batch; of the batch while there is no variant.
int shownSamples(const BoardState& state);
/// Lane by lane, the lane that it repeats as a further replica; -1: none.
std::vector<int> shownRepeatedLanes(const BoardState& state);
/// By lane; -1 where the variant has no replicas or does not use the lane.
std::vector<int> shownReplicas(const BoardState& state);
/// Forecast of each lane's memory, of the placement as it is drawn, with the measured peak where there is one; empty
/// where the variant cannot run.
std::vector<LaneMemory> shownMemory(const BoardState& state);
/// What widths stand for: "MACs", "parameters", "memory".
QString costName(ChipCost by);
QString chipTip(const BlockSpec& block, double share, ChipCost by);

/// "layer3.0" -> "3.0", for chips too narrow for the whole name.
QString shortBlockName(const QString& name);

}  // namespace lanelab
