// SPDX-License-Identifier: GPL-3.0-only
// Paths of files that are in the program itself: "shipped:NAME" (engine/files/shipped_files.h). Pure.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

inline constexpr std::string_view kShippedPrefix = "shipped:";

inline bool isShipped(const std::string& path) { return path.starts_with(kShippedPrefix); }
/// The path without "shipped:", if it has this.
inline std::string withoutShipped(const std::string& path) {
  return isShipped(path) ? path.substr(kShippedPrefix.size()) : path;
}

}  // namespace lanelab
