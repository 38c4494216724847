// The model of PyTorch's DataParallel tutorial: one linear layer.
#pragma once

#include "engine/model/model_spec.h"

namespace lanelab {

/// One block "linear" from all numbers of a sample to `classes`. Its tensors are named as nn.Linear's own: weight and bias.
ModelSpec describeLinear(int classes, const Shape& input);

}  // namespace lanelab
