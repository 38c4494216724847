// SPDX-License-Identifier: GPL-3.0-only
// Cuts long names of an imported trace and counts them. Nobody reads a longer one to its end, and a file that others
// made may hold names of many megabytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "profiler/io/source/cut_text.h"

namespace lanelab {

/// `name`, or its front of at most `most` bytes; then it is counted in `problems` as "long_name".
inline std::string_view limitedName(std::string_view name, std::map<std::string, std::int64_t>& problems,
                                    std::size_t most = kMostNameBytes) {
  if (name.size() > most) ++problems["long_name"];
  return cutText(name, most);
}

}  // namespace lanelab
