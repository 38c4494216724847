// SPDX-License-Identifier: GPL-3.0-only
// A file that is only bytes in memory, for readers of ReadableBytes.
#pragma once

#include <cstring>
#include <string_view>

#include "engine/files/readable_bytes.h"

namespace lanelab::test {

/// `bytes` must outlive the result.
inline ReadableBytes bytesInMemory(std::string_view bytes) {
  return {bytes.size(), [bytes](std::uint64_t offset, void* to, std::uint64_t count) {
            if (offset > bytes.size() || count > bytes.size() - offset) return false;
            if (count > 0) std::memcpy(to, bytes.data() + offset, count);
            return true;
          }};
}

}  // namespace lanelab::test
