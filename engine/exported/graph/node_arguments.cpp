// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/node_arguments.h"

#include <variant>

namespace lanelab {

namespace {

template <class T>
std::optional<T> argumentOr(const ExportedNode& node, std::string_view name) {
  const ExportedArgument* const given = argumentOf(node, name);
  const T* const value = given ? std::get_if<T>(given) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

std::optional<ValueId> valueOr(const ExportedNode& node, std::string_view name) {
  return argumentOr<ValueId>(node, name);
}

std::optional<std::int64_t> integerOr(const ExportedNode& node, std::string_view name) {
  return argumentOr<std::int64_t>(node, name);
}

std::optional<double> numberOr(const ExportedNode& node, std::string_view name) {
  if (const auto whole = integerOr(node, name)) return static_cast<double>(*whole);
  return argumentOr<double>(node, name);
}

bool flagOr(const ExportedNode& node, std::string_view name, bool otherwise) {
  return argumentOr<bool>(node, name).value_or(otherwise);
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
