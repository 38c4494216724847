// SPDX-License-Identifier: GPL-3.0-only
// How far the search of a timeline is.
#pragma once

#include <cstddef>
#include <optional>

namespace lanelab {

struct SearchState {
  std::size_t count = 0;
  std::optional<std::size_t> place;  ///< of the current span among the matches, from 0
  bool searching = false;
};

}  // namespace lanelab
