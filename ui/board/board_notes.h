// SPDX-License-Identifier: GPL-3.0-only
// What the board says of an exported network besides its blocks: a batch that it fixes, parameters that a cut divides.
#pragma once

#include <QString>
#include <optional>

#include "ui/board/board_state.h"

namespace lanelab {

/// "gpt2 takes 4 samples in a micro-batch."; empty where the batch is free, or as large as anybody here asks for.
QString samplesNote(const ModelSpec& model, int batch);

/// Which stages hold one and the same parameter, and what it means for the sums; empty where each has its own.
QString tiesNote(const ModelSpec& model, const std::vector<Stage>& stages);

/// The placement with all blocks that use a divided parameter in one stage, on a lane of one of them; every stage keeps
/// blocks. Nothing where that is not possible, as with the first and the last block, or where nothing is divided.
std::optional<Placement> withTiesOnOneLane(const ModelSpec& model, const Placement& placement);

}  // namespace lanelab
