// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/tensor_comparison.h"

#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lanelab {

namespace {

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const at::Tensor x = a.contiguous(), y = b.contiguous();
  return std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

double relativeDifference(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  const at::Tensor x = a.to(at::kDouble), y = b.to(at::kDouble);
  const double off = x.sub(y).norm().item<double>(), size = y.norm().item<double>();
  if (!std::isfinite(off)) return std::numeric_limits<double>::infinity();
  return size > 0 ? off / size : off;
}

/// Adds one tensor to a group and keeps the worst.
void compare(GroupEquality& group, const std::string& name, const at::Tensor& actual, const at::Tensor& wanted) {
  ++group.tensors;
  if (sameBits(actual, wanted)) {
    ++group.bitwise;
    return;
  }
  const double difference = relativeDifference(actual, wanted);
  if (!group.worst.empty() && difference <= group.worst_difference) return;
  group.worst = name;
  group.worst_difference = difference;
}

void miss(GroupEquality& group, const std::string& name, const std::string& who) {
  ++group.tensors;
  group.worst = name;
  group.worst_difference = std::numeric_limits<double>::infinity();
  group.problem = name + " is missing " + who;
}

}  // namespace

GroupEquality compareMaps(const std::string& what, const TensorMap& actual, const TensorMap& wanted) {
  GroupEquality group{what, 0, 0, "", 0, ""};
  for (const auto& [name, tensor] : wanted) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      miss(group, name, "in the variant");
    } else {
      compare(group, name, found->second, tensor);
    }
  }
  for (const auto& [name, tensor] : actual) {
    if (!wanted.count(name)) miss(group, name, "in the reference");
  }
  return group;
}

GroupEquality compareLosses(const std::vector<double>& actual, const std::vector<double>& wanted) {
  GroupEquality group{"losses", 0, 0, "", 0, ""};
  for (std::size_t i = 0; i < std::max(actual.size(), wanted.size()); ++i) {
    const std::string name = "loss of step " + std::to_string(i + 1);  // readers count from 1
    if (i >= actual.size() || i >= wanted.size()) {
      miss(group, name, i >= actual.size() ? "in the variant" : "in the reference");
    } else {
      compare(group, name, at::scalar_tensor(actual[i], at::kDouble), at::scalar_tensor(wanted[i], at::kDouble));
    }
  }
  return group;
}

}  // namespace lanelab
