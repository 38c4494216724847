// SPDX-License-Identifier: GPL-3.0-only
// A large event without most of what no reader of events uses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lanelab {

/// Larger events are read by their digest, since a parser takes several times their size.
inline constexpr std::size_t kMostEventBytes = 1U << 18U;

struct EventDigest {
  std::string text;
  bool cut = false;  ///< members were left out, since there were too many
};

/// `json` with its texts cut to a little more than kMostNameBytes, null for what is nested deeper than the members of
/// its arguments, and without members beyond about kMostEventBytes. Takes one pass.
EventDigest eventDigest(std::string_view json);

}  // namespace lanelab
