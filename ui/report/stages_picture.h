// SPDX-License-Identifier: GPL-3.0-only
// The stages of a variant as a figure: of each its lanes and blocks, its share of the MACs and its memory as bars.
#pragma once

#include <vector>

#include "ui/board/stage_rows.h"
#include "ui/export/picture.h"

namespace lanelab {

/// `caption` says of how many samples a micro-batch is.
Picture stagesPicture(const std::vector<StageRow>& rows, const QString& variant, const QString& caption,
                      const QString& metadata);

}  // namespace lanelab
