// SPDX-License-Identifier: GPL-3.0-only
// Messages in the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), written field by
// field.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

/// Appends fields to a text. An inner message is a text of its own that bytes() puts into the outer one.
class ProtobufText {
 public:
  explicit ProtobufText(std::string& out) : m_out(out) {}

  void varint(std::uint32_t field, std::uint64_t value) {
    tag(field, 0);
    raw(value);
  }
  void fixed64(std::uint32_t field, std::uint64_t value) {
    tag(field, 1);
    for (unsigned shift = 0; shift < 64; shift += 8) m_out += static_cast<char>(value >> shift & 0xFFU);
  }
  void number(std::uint32_t field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
  void bytes(std::uint32_t field, std::string_view value) {
    tag(field, 2);
    raw(value.size());
    m_out += value;
  }

 private:
  void tag(std::uint32_t field, std::uint32_t wire) { raw(std::uint64_t{field} << 3U | wire); }
  void raw(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) m_out += static_cast<char>((value & 0x7FU) | 0x80U);
    m_out += static_cast<char>(value);
  }

  std::string& m_out;
};

}  // namespace lanelab
