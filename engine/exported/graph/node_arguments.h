// SPDX-License-Identifier: GPL-3.0-only
// Single arguments of a call, by name, where a file has them as values or constants. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// Nothing for another kind of argument.
std::optional<ValueId> valueOr(const ExportedNode& node, std::string_view name);
std::optional<std::int64_t> integerOr(const ExportedNode& node, std::string_view name);
std::optional<double> numberOr(const ExportedNode& node, std::string_view name);
bool flagOr(const ExportedNode& node, std::string_view name, bool otherwise);
/// Height and width, from one integer in a list or two; nothing where they are not constants.
std::optional<std::array<std::int64_t, 2>> pairOr(const ExportedNode& node, std::string_view name,
                                                  std::int64_t otherwise);

}  // namespace lanelab
