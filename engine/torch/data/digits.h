// SPDX-License-Identifier: GPL-3.0-only
// The bundled handwritten digits (resources/data): small, real, and learnt in seconds.
#pragma once

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/torch/data/row_source.h"

namespace lanelab {

constexpr std::int64_t kDigitsTraining = 1437, kDigitsValidation = 360;

/// 8x8 pixels of 0 ... 16, scaled to -1 ... 1, each enlarged to a square so that they fill data.shape, grey on 1 or 3
/// channels. Errors (BadInput) name the key.
Result<DataParts> openDigits(const Experiment& experiment);
Status checkDigits(const Experiment& experiment);

}  // namespace lanelab
