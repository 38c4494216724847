// SPDX-License-Identifier: GPL-3.0-only
// Bytes that can be read at any offset: of a file, or in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace lanelab {

/// Copies share the open file. Any thread.
struct ReadableBytes {
  std::uint64_t size = 0;
  /// Fills `to`; false if not all of these bytes exist or can be read.
  std::function<bool(std::uint64_t offset, void* to, std::uint64_t bytes)> read;
};

/// `bytes` must outlive the result.
ReadableBytes bytesInMemory(std::string_view bytes);

/// Only regular files. The error is the reason alone, such as "a named pipe, not a regular file".
Result<ReadableBytes> openBytes(const std::string& path);

/// All of a source, if it holds no more than `most` bytes. The error is the reason alone.
Result<std::string> allBytes(const ReadableBytes& source, std::uint64_t most);

}  // namespace lanelab
