// SPDX-License-Identifier: GPL-3.0-only
// The toy network of the model-parallel tutorial: Linear 10-10, ReLU, Linear 10-classes.
#pragma once

#include "engine/model/model_spec.h"

namespace lanelab {

constexpr std::int64_t kToyFeatures = 10;

ModelSpec describeToy(int classes);

}  // namespace lanelab
