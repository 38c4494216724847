// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/tensor_comparison.h"

#include <ATen/ops/isfinite.h>
#include <ATen/ops/scalar_tensor.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lanelab {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  const at::Tensor x = a.contiguous(), y = b.contiguous();
  return std::memcmp(x.const_data_ptr(), y.const_data_ptr(), x.nbytes()) == 0;
}

/// Infinite if they are of different shapes, or not finite.
double distance(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return kInfinity;
  const double off = sizeOf(a.to(at::kDouble).sub(b.to(at::kDouble)));
  return std::isfinite(off) ? off : kInfinity;
}

double ratio(double off, double size) { return size > 0 ? off / size : off; }

/// Adds tensors to a group and remembers the worst.
class Comparison {
 public:
  Comparison(GroupEquality& group, const ComparisonRule& rule) : m_group(group), m_rule(rule) {}

  void add(const std::string& name, const at::Tensor& actual, const at::Tensor& wanted) {
    ++m_group.tensors;
    if (sameBits(actual, wanted)) {
      ++m_group.bitwise;
      return;
    }
    const double difference = differenceOf(name, distance(actual, wanted), sizeOf(wanted));
    if (!m_group.worst.empty() && difference <= m_group.worst_difference) return;
    m_group.worst = name;
    m_group.worst_difference = difference;
  }

  void miss(const std::string& name, const std::string& who) {
    ++m_group.tensors;
    m_group.worst = name;
    m_group.worst_difference = kInfinity;
    m_group.problem = name + " is missing " + who;
  }

 private:
  double differenceOf(const std::string& name, double off, double size) {
    const auto bound = m_rule.bounds.find(name);
    if (bound == m_rule.bounds.end() || ratio(off, size) <= m_rule.tolerance) return ratio(off, size);
    const double moved = bound->second / m_rule.tolerance;
    if (moved <= size) return ratio(off, size);
    m_group.rounding.push_back(name);
    return ratio(off, moved);
  }

  GroupEquality& m_group;
  const ComparisonRule& m_rule;
};

}  // namespace

GroupEquality compareMaps(const std::string& what, const TensorMap& actual, const TensorMap& wanted,
                          const ComparisonRule& rule) {
  GroupEquality group{what, 0, 0, "", 0, ""};
  Comparison comparison(group, rule);
  for (const auto& [name, tensor] : wanted) {
    const auto found = actual.find(name);
    if (found == actual.end()) {
      comparison.miss(name, "in the variant");
    } else {
      comparison.add(name, found->second, tensor);
    }
  }
  for (const auto& [name, tensor] : actual) {
    if (!wanted.count(name)) comparison.miss(name, "in the reference");
  }
  return group;
}

GroupEquality compareLosses(const std::vector<double>& actual, const std::vector<double>& wanted) {
  GroupEquality group{"losses", 0, 0, "", 0, ""};
  const ComparisonRule rule;
  Comparison comparison(group, rule);
  for (std::size_t i = 0; i < std::max(actual.size(), wanted.size()); ++i) {
    const std::string name = "loss of step " + std::to_string(i + 1);  // readers count from 1
    if (i >= actual.size() || i >= wanted.size()) {
      comparison.miss(name, i >= actual.size() ? "in the variant" : "in the reference");
    } else {
      comparison.add(name, at::scalar_tensor(actual[i], at::kDouble), at::scalar_tensor(wanted[i], at::kDouble));
    }
  }
  return group;
}

std::string firstNotFinite(const TensorMap& tensors, const TensorMap& initial) {
  for (const auto& [name, tensor] : tensors) {
    if (isFinite(tensor)) continue;
    const auto began = initial.find(name);
    if (began == initial.end() || isFinite(began->second)) return name;
  }
  return {};
}

bool isFinite(const at::Tensor& tensor) { return at::isfinite(tensor).all().item<bool>(); }

double sizeOf(const at::Tensor& tensor) { return tensor.to(at::kDouble).norm().item<double>(); }

}  // namespace lanelab
