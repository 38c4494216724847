// A folder of pictures, one folder a class: torchvision's ImageFolder.
#pragma once

#include "engine/base/result.h"
#include "engine/run/experiment.h"
#include "engine/torch/row_source.h"

namespace lanelab {

/// data.path holds one folder a class with PNG and JPEG files; classes count in the order of their names. Where it holds `train` and `val` instead,
/// each of these does. Without them every fifth image of a class is for validation. Images are read when their batch comes: the shorter way to
/// data.shape is scaled (bilinear, antialiased), the rest cut off evenly, channels normalised by ImageNet's mean and deviation. Errors (BadInput)
/// name the folder and the mend.
Result<DataParts> openImageFolder(const Experiment& experiment);

}  // namespace lanelab
