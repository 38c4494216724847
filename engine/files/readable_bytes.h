// SPDX-License-Identifier: GPL-3.0-only
// Bytes that can be read at any offset, such as those of a file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"

namespace lanelab {

/// Copies share the open file. Any thread.
struct ReadableBytes {
  std::uint64_t size = 0;
  /// Fills `to`; false if not all of these bytes exist or can be read.
  std::function<bool(std::uint64_t offset, void* to, std::uint64_t bytes)> read;
};

/// Only regular files, and those in the program (shipped_files.h). The error is the reason alone, such as "a named
/// pipe, not a regular file".
Result<ReadableBytes> openBytes(const std::string& path);

/// Nothing if not all of these bytes exist or can be read.
std::optional<std::string> bytesAt(const ReadableBytes& source, std::uint64_t at, std::uint64_t count);

/// All of a source, if it holds no more than `most` bytes. The error is the reason alone.
Result<std::string> allBytes(const ReadableBytes& source, std::uint64_t most);

}  // namespace lanelab
