// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/node_arguments.h"

#include <variant>

namespace lanelab {

std::optional<ValueId> valueOr(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const given = argumentOf(node, name);
  const auto* const value = given ? std::get_if<ValueId>(given) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

std::optional<double> numberOr(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const given = argumentOf(node, name);
  if (given == nullptr) return {};
  if (const auto* const number = std::get_if<double>(given)) return *number;
  if (const auto* const whole = std::get_if<std::int64_t>(given)) return static_cast<double>(*whole);
  return {};
}

bool flagOr(const ExportedNode& node, std::string_view name, bool otherwise) {
  const ExportedArgument* const given = argumentOf(node, name);
  const auto* const flag = given ? std::get_if<bool>(given) : nullptr;
  return flag ? *flag : otherwise;
}

std::optional<std::array<std::int64_t, 2>> pairOr(const ExportedNode& node, std::string_view name,
                                                  std::int64_t otherwise) {
  const ExportedArgument* const given = argumentOf(node, name);
  if (given == nullptr) return {{otherwise, otherwise}};
  const auto* const list = std::get_if<std::vector<std::int64_t>>(given);
  if (list == nullptr || list->empty() || list->size() > 2) return std::nullopt;
  return {{list->front(), list->back()}};
}

}  // namespace lanelab
