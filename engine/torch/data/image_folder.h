// SPDX-License-Identifier: GPL-3.0-only
// A folder of pictures, one folder a class: torchvision's ImageFolder.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/experiment.h"
#include "engine/torch/data/row_source.h"

namespace lanelab {

/// data.path holds one folder a class with PNG and JPEG files; classes count in the order of their names. If it holds
/// `train` and `val` instead, each of these does. Without them every fifth image of a class is for validation. Images
/// are read when their batch comes: the shorter side is scaled to data.shape (bilinear, antialiased), the rest cut off
/// evenly, channels normalised by ImageNet's mean and deviation. Each image's header and end are looked at first
/// (image_check.h): unreadable ones are an error, or with data.skip_unreadable a warning. Errors (BadInput) name the
/// folder and the fix.
Result<DataParts> openImageFolder(const Experiment& experiment, std::vector<std::string>& warnings);

/// Images to train on, as openImageFolder would have them. Looks into the files only with data.skip_unreadable.
Result<std::int64_t> countImageFolder(const Experiment& experiment);

}  // namespace lanelab
