// Reads messages in the wire format of Protocol Buffers field by field (https://protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace lanelab {

struct ProtobufField {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  ///< of numbers, whatever their width
  std::string_view bytes;   ///< of texts and inner messages
  bool has_bytes = false;
};

/// Goes through a message; a view that must outlive the reader.
class ProtobufFields {
 public:
  explicit ProtobufFields(std::string_view message) : m_rest(message) {}
  /// Nothing at the end, and where damage ends the message.
  std::optional<ProtobufField> next();
  bool damaged() const { return m_damaged; }
  /// What next() has not gone through.
  std::string_view rest() const { return m_rest; }

 private:
  std::optional<std::uint64_t> varint();
  std::optional<ProtobufField> fail();

  std::string_view m_rest;
  bool m_damaged = false;
};

/// Calls `visit` for each field; false when the message is damaged.
template <class Visit>
bool eachField(std::string_view message, const Visit& visit) {
  ProtobufFields fields(message);
  while (const auto field = fields.next()) visit(*field);
  return !fields.damaged();
}

}  // namespace lanelab
