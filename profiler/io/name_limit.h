// How long a name of an imported trace may be. Nobody reads a longer one to its end, and a file that others made may hold names of many megabytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace lanelab {

/// Bytes of the name of an event or category.
inline constexpr std::size_t most_name_bytes = std::size_t{1} << 16U;
/// Bytes of the name of a thread, process or track, since each of its rows copies it.
inline constexpr std::size_t most_row_name_bytes = 256;

/// `name`, or the beginning of it that does not cut a character; then it is counted in `problems` as "long_name".
inline std::string_view limitedName(std::string_view name, std::map<std::string, std::int64_t>& problems, std::size_t most = most_name_bytes) {
  if (name.size() <= most) return name;
  ++problems["long_name"];
  return firstBytes(name, most);
}

}  // namespace lanelab
