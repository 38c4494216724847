// SPDX-License-Identifier: GPL-3.0-only
// What the board reads out of the variant that it shows: memory, and words for costs and blocks, as its tables write
// them, too.
#pragma once

#include <QString>
#include <vector>

#include "ui/board/board_state.h"
#include "ui/board/lane_memory.h"

namespace lanelab {

/// Forecast of each lane's memory, of the placement as it is drawn, with the measured peak if there is one; empty
/// where the variant cannot run.
std::vector<LaneMemory> shownMemory(const BoardState& state);
/// "37 %", "< 1 %": of a cost that is there never "0 %".
QString costShareText(double share);
/// "11.7 M"
QString countText(std::int64_t value);
/// "11.7 M", "11.7 M, 11.2 M frozen", "11.7 M, all frozen".
QString parametersText(std::int64_t parameters, std::int64_t frozen);
/// What widths stand for: "MACs", "parameters", "memory".
QString costName(ChipCost by);

/// Why no stage can begin with the block that the keyboard is on; empty if one can.
QString whyNoCut(const BoardState& state);

}  // namespace lanelab
