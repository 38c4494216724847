// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_arguments.h"

#include <stdexcept>
#include <variant>

namespace lanelab {

void refuseCall(const ExportedNode& node, const std::string& why) {
  std::string text = node.target;
  if (const std::string module = node.module(); !module.empty()) text += " of module " + module;
  if (!node.source.empty()) text += " (" + node.source + ")";
  throw std::runtime_error(text + ": " + why);
}

ValueId requiredValue(const ExportedNode& node, const std::string& name) {
  const std::optional<ValueId> value = valueOr(node, name);
  if (!value) refuseCall(node, "the file lacks its argument \"" + name + "\"");
  return *value;
}

std::optional<ValueId> valueOr(const ExportedNode& node, const std::string& name) {
  const ExportedArgument* const given = argumentOf(node, name);
  const auto* const value = given ? std::get_if<ValueId>(given) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

double requiredNumber(const ExportedNode& node, const std::string& name) {
  const std::optional<double> number = numberOr(node, name);
  if (!number) refuseCall(node, "the file lacks its argument \"" + name + "\"");
  return *number;
}

std::optional<double> numberOr(const ExportedNode& node, const std::string& name) {
  const ExportedArgument* const given = argumentOf(node, name);
  if (given == nullptr) return {};
  if (const auto* const number = std::get_if<double>(given)) return *number;
  if (const auto* const whole = std::get_if<std::int64_t>(given)) return static_cast<double>(*whole);
  return {};
}

bool flagOr(const ExportedNode& node, const std::string& name, bool otherwise) {
  const ExportedArgument* const given = argumentOf(node, name);
  const auto* const flag = given ? std::get_if<bool>(given) : nullptr;
  return flag ? *flag : otherwise;
}

}  // namespace lanelab
