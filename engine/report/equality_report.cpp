// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/equality_report.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {
namespace {

std::string groupCell(const GroupEquality& group) {
  if (group.bitwise == group.tensors) return std::to_string(group.tensors) + " bitwise";
  return std::to_string(group.bitwise) + " of " + std::to_string(group.tensors) + " bitwise, worst " +
         formatNumber(group.worst_difference, 2);
}

std::string verdictText(const VariantEquality& variant) {
  switch (verdictOf(variant)) {
    case EqualityVerdict::Bitwise: return "equal, bitwise";
    case EqualityVerdict::Rounding: return "rounding, at most " + formatNumber(variant.tolerance);
    case EqualityVerdict::Differs: return "DIFFERS";
    case EqualityVerdict::NotFinite: return "not finite, proves nothing";
  }
  return "";
}

const GroupEquality& farthestOff(const VariantEquality& variant) {
  return *std::ranges::max_element(variant.groups, {}, &GroupEquality::worst_difference);
}

}  // namespace

EqualityVerdict verdictOf(const VariantEquality& variant) {
  if (!variant.not_finite.empty()) return EqualityVerdict::NotFinite;
  if (!variant.equal) return EqualityVerdict::Differs;
  const bool bitwise =
      std::ranges::all_of(variant.groups, [](const auto& group) { return group.bitwise == group.tensors; });
  return bitwise ? EqualityVerdict::Bitwise : EqualityVerdict::Rounding;
}

bool EqualityReport::equal() const { return std::ranges::all_of(variants, &VariantEquality::equal); }

std::string referenceText(const VariantEquality& variant) {
  const std::string device =
      variant.replicas > 1 ? "one device, " + std::to_string(variant.replicas) + " replicas in order" : "one device";
  if (variant.micro_batches == 1) return device + (variant.replicas > 1 ? "" : ", whole batch");
  return device + ", " + counted(variant.micro_batches, "micro-batch") + (variant.replicas > 1 ? " each" : " in order");
}

std::vector<std::vector<std::string>> equalityRows(const EqualityReport& report) {
  std::vector<std::vector<std::string>> rows = {
      {"variant", "reference", "losses", "gradients", "parameters", "buffers", "verdict"}};
  for (const VariantEquality& variant : report.variants) {
    rows.push_back({variant.name, referenceText(variant)});
    for (const GroupEquality& group : variant.groups) rows.back().push_back(groupCell(group));
    rows.back().push_back(verdictText(variant));
  }
  return rows;
}

Status equalityStatus(const EqualityReport& report) {
  for (const VariantEquality& variant : report.variants) {
    if (variant.equal) continue;
    if (!variant.not_finite.empty())
      return Error::failed(
          "variant \"{}\" cannot be compared with its reference ({}), whose numbers are not finite. {}", variant.name,
          referenceText(variant), variant.not_finite);
    const GroupEquality& worst = farthestOff(variant);
    const std::string far = worst.problem.empty()
                                ? worst.worst + " is off by " + formatNumber(worst.worst_difference, 2) + " of its size"
                                : worst.problem;
    return Error::failed("variant \"{}\" does not equal its reference ({}): among the {} {}.", variant.name,
                         referenceText(variant), worst.what, far);
  }
  return {};
}

}  // namespace lanelab
