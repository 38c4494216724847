// SPDX-License-Identifier: GPL-3.0-only
// How long texts of a trace may be. Nobody reads a longer one to its end, and a file that others made may hold names of
// many megabytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace lanelab {

/// Of a span's name or category.
inline constexpr std::size_t kMostNameBytes = 1U << 16U;
/// Of names of processes, threads, counters and flows and of ids, each of which may be shown by many rows.
inline constexpr std::size_t kMostLabelBytes = 256;

/// The front of `text`, at most `most` bytes, without a part of a UTF-8 character at its end.
inline std::string_view cutText(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most);
}

/// The same; a name that is cut is counted in `problems` as "long_name".
inline std::string_view limitedName(std::string_view name, std::map<std::string, std::int64_t>& problems,
                                    std::size_t most = kMostNameBytes) {
  if (name.size() > most) ++problems["long_name"];
  return cutText(name, most);
}

}  // namespace lanelab
