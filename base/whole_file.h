// SPDX-License-Identifier: GPL-3.0-only
// Reads a regular file into memory. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace lanelab {

/// Errors name the path; a file above `limit` bytes is refused unread.
Result<std::string> readWholeFile(const std::string& path, std::uint64_t limit);

}  // namespace lanelab
