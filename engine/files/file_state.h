// SPDX-License-Identifier: GPL-3.0-only
// Which file a path names, and when it was written last: two equal states are of the same content.
#pragma once

#include <cstdint>
#include <string>

namespace lanelab {

struct FileState {
  std::string path;
  std::uint64_t device = 0, inode = 0;
  std::int64_t bytes = -1, seconds = 0, nanoseconds = 0;  ///< bytes -1: there is no such file on disk
  bool operator==(const FileState&) const = default;
};

/// Now. Files in the program (shipped_files.h) have one state only. Any thread.
FileState fileStateOf(const std::string& path);

}  // namespace lanelab
