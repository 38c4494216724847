// SPDX-License-Identifier: GPL-3.0-only
// Names out of files, as messages show them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

/// At most 80 characters: a file may call a tensor whatever it likes.
std::string clippedName(std::string_view name);

/// "a, b, c, d, e and 7 more": the first five of them, clipped.
std::string firstNames(const std::vector<std::string>& names);

}  // namespace lanelab
