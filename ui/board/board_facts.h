// SPDX-License-Identifier: GPL-3.0-only
// What the board reads out of the variant that it shows: memory, words for costs and blocks, as its tables write them,
// too, and what it says of an exported network besides its blocks: a batch that it fixes, parameters that a cut
// divides.
#pragma once

#include <QString>
#include <optional>
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

/// "gpt2 takes 4 samples in a micro-batch."; empty where the batch is free, or as large as anybody here asks for.
QString samplesNote(const ModelSpec& model, int batch);

/// Which stages hold one and the same parameter, and what it means for the sums; empty where each has its own.
QString tiesNote(const ModelSpec& model, const std::vector<Stage>& stages);

/// The placement with all blocks that use a divided parameter in one stage, on a lane of one of them; every stage keeps
/// blocks. Nothing where that is not possible, as with the first and the last block, or where nothing is divided.
std::optional<Placement> withTiesOnOneLane(const ModelSpec& model, const Placement& placement);

}  // namespace lanelab
