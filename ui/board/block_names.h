// SPDX-License-Identifier: GPL-3.0-only
// What chips and tables write for a block where its whole name is too long. Pure functions.
#pragma once

#include <QString>
#include <vector>

#include "engine/model/model_spec.h"

namespace lanelab {

/// The end of each block's path that tells it from all others, in the order of the model: "transformer.h.11" is "h.11",
/// "encoder.layers.encoder_layer_3" is "layer_3", "layer3.0" is "3.0". No two are equal.
std::vector<QString> shortBlockNames(const ModelSpec& model);

/// Blocks whose name has all words of `text`, in whichever case; none for an empty text.
std::vector<BlockId> blocksNamed(const ModelSpec& model, const QString& text);

}  // namespace lanelab
