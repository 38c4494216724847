// SPDX-License-Identifier: GPL-3.0-only
// Which modules of an exported network are its blocks. A value.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lanelab {

/// By default those at which no more values cross than around them, and elements of lists of layers; at most 60.
struct ExportedBlockChoice {
  std::optional<int> depth{};          ///< modules that are called by this many others: 1 for those in the root
  std::vector<std::string> modules{};  ///< these paths; what is outside of them belongs to the block before it
  bool operator==(const ExportedBlockChoice&) const = default;
};

}  // namespace lanelab
