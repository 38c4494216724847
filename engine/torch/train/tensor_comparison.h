// SPDX-License-Identifier: GPL-3.0-only
// How far the tensors of one training are from those of another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/train/equality_check.h"

namespace lanelab {

/// Of each tensor, how far rounding alone may move it (Euclidean norm); 0 for those that are not named.
using RoundingBounds = std::map<std::string, double>;

/// What two tensors are compared with, where they are not equal bit for bit.
struct ComparisonRule {
  double tolerance = 0;        ///< that counts as equal, of a tensor's size
  RoundingBounds bounds = {};  ///< a tensor that may move farther than its tolerance is compared with this instead
};

/// Tensors of the same name against each other, on the host; bits first, then the relative difference of what is not
/// equal bit for bit: |a - b| of the size of b, or of the size of which its bound is the tolerance, if that is larger.
GroupEquality compareMaps(const std::string& what, const TensorMap& actual, const TensorMap& wanted,
                          const ComparisonRule& rule = {});

/// The losses of each step, as numbers of 64 bits.
GroupEquality compareLosses(const std::vector<double>& actual, const std::vector<double>& wanted);

/// The first tensor with an infinite number or one that is not a number, which it did not begin with: masks may hold
/// infinite numbers. Empty if there is none.
std::string firstNotFinite(const TensorMap& tensors, const TensorMap& initial = {});

/// Whether no number of it is infinite or not a number.
bool isFinite(const at::Tensor& tensor);

/// The Euclidean norm of all numbers of a tensor.
double sizeOf(const at::Tensor& tensor);

}  // namespace lanelab
