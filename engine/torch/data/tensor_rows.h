// SPDX-License-Identifier: GPL-3.0-only
// Rows made at random, or read whole from a safetensors file.
#pragma once

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/torch/data/row_source.h"

namespace lanelab {

/// Normal numbers and class ids from training.seed: one batch a step, as far as 512 MiB go.
DataParts randomRows(const Experiment& experiment);

/// `inputs` and `targets` of data.path, and `validation_inputs` and `validation_targets` where it has them. Errors
/// (BadInput) name place and fix.
Result<DataParts> openTensorFile(const Experiment& experiment);
/// Looks at the header only: what is wrong with names, types and shapes; else the rows to train on.
Result<std::int64_t> checkTensorFile(const Experiment& experiment);

}  // namespace lanelab
