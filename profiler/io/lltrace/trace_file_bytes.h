// SPDX-License-Identifier: GPL-3.0-only
// What writer and reader of LaneLab's own trace file share: records and numbers.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

inline constexpr std::string_view trace_file_magic = "LLTRACE1";

/// Before each payload; little-endian, as the memory of what it runs on.
struct RecordHead {
  std::uint32_t mark = 0;
  std::uint32_t kind = 0;
  std::uint32_t size = 0;    ///< of the payload
  std::uint32_t packed = 0;  ///< of what stands in the file
  std::uint32_t crc = 0;     ///< of kind, sizes and packed bytes
};
static_assert(sizeof(RecordHead) == 20);
inline constexpr std::uint32_t record_mark = 0x9E524C4CU;

inline std::uint32_t crcOf(const RecordHead& head, std::string_view packed) {
  const uLong front = crc32(0, reinterpret_cast<const Bytef*>(&head.kind), 3 * sizeof head.kind);
  return static_cast<std::uint32_t>(
      crc32(front, reinterpret_cast<const Bytef*>(packed.data()), static_cast<uInt>(packed.size())));
}

inline RecordHead headOf(char kind, std::size_t size, std::string_view packed) {
  RecordHead head{record_mark, static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(size),
                  static_cast<std::uint32_t>(packed.size()), 0};
  head.crc = crcOf(head, packed);
  return head;
}

/// Small numbers of either sign become small numbers.
inline std::uint64_t zigzag(std::uint64_t value) { return (value << 1U) ^ (0 - (value >> 63U)); }
inline std::uint64_t unzigzag(std::uint64_t value) { return (value >> 1U) ^ (0 - (value & 1U)); }

inline void appendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

inline void appendText(std::string& out, std::string_view text) {
  appendVarint(out, text.size());
  out += text;
}

}  // namespace lanelab
