// SPDX-License-Identifier: GPL-3.0-only
// How far the tensors of one training are from those of another.
#pragma once

#include <string>
#include <vector>

#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/train/equality_check.h"

namespace lanelab {

/// Tensors of the same name against each other, on the host; bits first, then the relative difference of what is not
/// equal bit for bit.
GroupEquality compareMaps(const std::string& what, const TensorMap& actual, const TensorMap& wanted);

/// The losses of each step, as numbers of 64 bits.
GroupEquality compareLosses(const std::vector<double>& actual, const std::vector<double>& wanted);

}  // namespace lanelab
