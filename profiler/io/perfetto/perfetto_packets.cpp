// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_packets.h"

#include <algorithm>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf_fields.h"

namespace lanelab {

std::optional<std::string_view> PerfettoPackets::next() {
  constexpr std::size_t kLongestHead = 20;  // two numbers of ten bytes
  while (!m_cut) {
    passEmpty();
    if (!have(kLongestHead) && m_at == m_end) return std::nullopt;
    std::string_view rest = here();
    const auto head = takeHead(rest);
    if (!head) break;
    m_at = m_end - rest.size();
    const bool is_packet = head->number == perfetto::trace::kPacket && head->has_bytes;
    if (!is_packet || head->size == 0 || head->size > kMostBytes) {
      m_skipped += is_packet && head->size > 0 ? 1 : 0;
      m_cut = !pass(head->size);
    } else if (have(static_cast<std::size_t>(head->size))) {
      const std::string_view packet = here().substr(0, static_cast<std::size_t>(head->size));
      m_at += packet.size();
      return packet;
    } else {
      break;
    }
  }
  m_cut = true;
  return std::nullopt;
}

/// Goes behind the empty packets that the buffer holds, of which a file may have hundreds of millions.
void PerfettoPackets::passEmpty() {
  while (m_end - m_at >= 2 && m_buffer[m_at] == '\x0A' && m_buffer[m_at + 1] == '\0') m_at += 2;
}

/// Reads on until so many bytes are here; false when the file ends before.
bool PerfettoPackets::have(std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  if (m_end - m_at >= bytes) return true;
  m_buffer.erase(0, m_at);
  m_end -= m_at;
  m_at = 0;
  m_buffer.resize(std::max(bytes, kPiece));
  while (m_end < bytes) {
    const std::size_t count = m_source.read(m_buffer.data() + m_end, m_buffer.size() - m_end);
    if (count == 0) return false;
    m_end += count;
  }
  return true;
}

/// Goes on by so many bytes without holding them; false when the file ends before.
bool PerfettoPackets::pass(std::uint64_t bytes) {
  while (bytes > m_end - m_at) {
    bytes -= m_end - m_at;
    m_at = m_end;
    if (!have(1)) return false;
  }
  m_at += static_cast<std::size_t>(bytes);
  return true;
}

}  // namespace lanelab
