#include "profiler/io/protobuf_fields.h"

namespace lanelab {

std::optional<std::uint64_t> ProtobufFields::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && !m_rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(m_rest.front());
    m_rest.remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<ProtobufField> ProtobufFields::fail() {
  m_damaged = true;
  return std::nullopt;
}

std::optional<ProtobufField> ProtobufFields::next() {
  if (m_rest.empty() || m_damaged) return std::nullopt;
  const auto tag = varint();
  if (!tag || *tag >> 3U == 0 || *tag >> 32U != 0) return fail();
  ProtobufField field;
  field.number = static_cast<std::uint32_t>(*tag >> 3U);
  const auto wire = static_cast<unsigned>(*tag & 7U);
  if (wire == 0 || wire == 2) {
    const auto number = varint();
    if (!number || (wire == 2 && *number > m_rest.size())) return fail();
    field.value = *number;
    field.has_bytes = wire == 2;
    if (field.has_bytes) {
      field.bytes = m_rest.substr(0, static_cast<std::size_t>(*number));
      m_rest.remove_prefix(field.bytes.size());
    }
    return field;
  }
  const std::size_t width = wire == 1 ? 8 : wire == 5 ? 4 : 0;
  if (width == 0 || m_rest.size() < width) return fail();
  for (std::size_t i = 0; i < width; ++i) field.value |= std::uint64_t{static_cast<unsigned char>(m_rest[i])} << (8 * i);
  m_rest.remove_prefix(width);
  return field;
}

}  // namespace lanelab
