// SPDX-License-Identifier: GPL-3.0-only
// The model of PyTorch's DataParallel tutorial: one linear layer.
#pragma once

#include "engine/model/model_spec.h"

namespace lanelab {

/// Of a sample of PyTorch's tutorial.
inline constexpr std::int64_t kLinearFeatures = 5;

/// One block "linear" from all numbers of a sample to `classes`. Its tensors are named as nn.Linear's own: weight and
/// bias.
ModelSpec describeLinear(int classes, const Shape& input);

}  // namespace lanelab
