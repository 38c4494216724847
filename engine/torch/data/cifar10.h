// SPDX-License-Identifier: GPL-3.0-only
// CIFAR-10 as its binary version comes: data_batch_*.bin to train on, test_batch.bin to validate with.
#pragma once

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/torch/data/row_source.h"

namespace lanelab {

/// A record is a class id (0 ... 9) and 3x32x32 bytes, planes of red, green, blue. Pixels stay bytes in memory and
/// become numbers batch by batch, normalised by the set's mean and deviation a channel. data.path is the folder. Errors
/// (BadInput) name file, record and fix.
Result<DataParts> openCifar10(const Experiment& experiment);

/// Looks at names and sizes only.
Status checkCifar10(const Experiment& experiment, std::vector<std::string>& warnings);
/// Images to train on.
Result<std::int64_t> countCifar10(const Experiment& experiment);

}  // namespace lanelab
