// SPDX-License-Identifier: GPL-3.0-only
// The small models of PyTorch's tutorials.
#pragma once

#include <string>

#include "engine/model/model_spec.h"

namespace lanelab {

inline constexpr std::int64_t kToyFeatures = 10;
inline constexpr std::int64_t kLinearFeatures = 5;  ///< of a sample of the tutorial

/// The toy network of the model-parallel tutorial: Linear 10-10, ReLU, Linear 10-classes.
ModelSpec describeToy(int classes);

/// The one linear layer of the DataParallel tutorial: a block "linear" from all numbers of a sample to `classes`. Its
/// tensors are named as nn.Linear's own: weight and bias.
ModelSpec describeLinear(int classes, const Shape& input);

/// Outputs of the last layer where an experiment or command names none: those of the tutorials' networks, and of
/// ImageNet for all others.
int usualClasses(const std::string& arch);

}  // namespace lanelab
