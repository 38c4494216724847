// SPDX-License-Identifier: GPL-3.0-only
// Large counts as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace lanelab {

/// 12345 -> "12,345". Not negative.
inline std::string groupedDigits(std::int64_t count) {
  std::string text = std::to_string(count);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

}  // namespace lanelab
