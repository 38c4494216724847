// SPDX-License-Identifier: GPL-3.0-only
// Messages in the wire format of Protocol Buffers (https://protobuf.dev/programming-guides/encoding), read and written
// field by field.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanelab {

struct ProtobufField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  ///< of numbers, whatever their width; the size of texts and inner messages
  std::string_view bytes;   ///< of texts and inner messages
  bool has_bytes = false;
};

/// The number at the front of `rest`, which loses it; nothing when it is cut or longer than ten bytes.
inline std::optional<std::uint64_t> readVarint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// The front of a field: its number, and its value or how many bytes its value takes behind it.
struct ProtobufHead {
  std::uint32_t number = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  bool has_bytes = false;
};

/// `rest` loses the front; nothing when it is cut or damaged. The value itself may be cut all the same.
inline std::optional<ProtobufHead> readHead(std::string_view& rest) {
  constexpr std::uint64_t kVarint = 0, kEightBytes = 1, kBytes = 2, kFourBytes = 5;
  const auto tag = readVarint(rest);
  if (!tag || *tag >> 3U == 0 || *tag >> 32U != 0) return std::nullopt;
  const std::uint64_t wire = *tag & 7U;
  ProtobufHead head{static_cast<std::uint32_t>(*tag >> 3U), 0, 0, wire == kBytes};
  if (wire == kEightBytes || wire == kFourBytes) {
    head.size = wire == kEightBytes ? 8 : 4;
    return head;
  }
  const auto number = wire == kVarint || wire == kBytes ? readVarint(rest) : std::nullopt;
  if (!number) return std::nullopt;
  head.value = *number;
  head.size = wire == kBytes ? *number : 0;
  return head;
}

inline std::uint64_t littleEndian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

/// Calls `visit` for each field of a message; false when damage ends it.
template <class Visit>
bool eachField(std::string_view rest, const Visit& visit) {
  while (!rest.empty()) {
    const auto head = readHead(rest);
    if (!head || head->size > rest.size()) return false;
    const std::string_view bytes = rest.substr(0, static_cast<std::size_t>(head->size));
    rest.remove_prefix(bytes.size());
    if (head->has_bytes) {
      visit(ProtobufField{head->number, head->value, bytes, true});
    } else {
      visit(ProtobufField{head->number, bytes.empty() ? head->value : littleEndian(bytes), {}, false});
    }
  }
  return true;
}

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
