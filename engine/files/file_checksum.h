// SPDX-License-Identifier: GPL-3.0-only
// A checksum that a safetensors file holds of itself, so that a bit that changed on the disk is noticed.
//
// CRC-32 as in zip and PNG, over all bytes of the file with the checksum's own eight digits as zeros. The header begins
// with it, as metadata that other readers ignore: {"__metadata__":{"crc32":"89abcdef"},... .
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/files/readable_bytes.h"

namespace lanelab {

inline constexpr std::string_view kChecksumHead = R"({"__metadata__":{"crc32":")";
/// What the digits are while the checksum is computed.
inline constexpr std::string_view kNoChecksum = "00000000";
/// Of the digits in the file: the header comes behind its length.
inline constexpr std::uint64_t kChecksumAt = sizeof(std::uint64_t) + kChecksumHead.size();

class FileChecksum {
 public:
  void add(const void* bytes, std::uint64_t count);
  /// Eight digits.
  std::string text() const;

 private:
  std::uint64_t m_sum = 0;
};

/// Why the file is not as it was written; empty if it is, or holds no metadata at all, as files of older versions. One
/// pass over the file.
std::string checksumProblem(const ReadableBytes& source);
/// The same of a file, which may be none that can be read.
std::string checkFileChecksum(const std::string& path);

}  // namespace lanelab
