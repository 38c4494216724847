// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_packets.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#include "profiler/io/perfetto/perfetto_fields.h"
#include "profiler/io/perfetto/protobuf.h"

namespace lanelab {

std::optional<std::string_view> PerfettoPackets::next() {
  constexpr std::size_t kLongestHead = 20;  // two numbers of ten bytes
  while (!m_cut) {
    passEmpty();
    if (!m_window.holds(kLongestHead) && m_window.text().empty()) return std::nullopt;
    std::string_view rest = m_window.text();
    const auto head = readHead(rest);
    if (!head) break;
    m_window.drop(m_window.text().size() - rest.size());
    const bool is_packet = head->number == perfetto::trace::kPacket && head->has_bytes;
    if (!is_packet || head->size == 0 || head->size > kMostBytes) {
      m_skipped += is_packet && head->size > 0 ? 1 : 0;
      m_cut = !pass(head->size);
    } else if (m_window.holds(static_cast<std::size_t>(head->size))) {
      const std::string_view packet = m_window.text().substr(0, static_cast<std::size_t>(head->size));
      m_window.drop(packet.size());
      return packet;
    } else {
      break;
    }
  }
  m_cut = true;
  return std::nullopt;
}

/// Goes behind the empty packets that the window holds, of which a file may have hundreds of millions.
void PerfettoPackets::passEmpty() {
  const std::string_view text = m_window.text();
  std::size_t at = 0;
  while (text.size() - at >= 2 && text[at] == '\x0A' && text[at + 1] == '\0') at += 2;
  m_window.drop(at);
}

/// Goes on by so many bytes without holding them; false when the file ends before.
bool PerfettoPackets::pass(std::uint64_t bytes) {
  while (bytes > m_window.text().size()) {
    bytes -= m_window.text().size();
    m_window.drop(m_window.text().size());
    if (!m_window.holds(1)) return false;
  }
  m_window.drop(static_cast<std::size_t>(bytes));
  return true;
}

UnpackedPackets unpackPackets(std::string_view packed, std::size_t most, std::string& out) {
  constexpr std::size_t kUsualRatio = 8;
  constexpr int kAnyHead = 15 + 32;  // of zlib or gzip
  z_stream stream{};
  if (inflateInit2(&stream, kAnyHead) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closed(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  out.clear();
  int state = Z_OK;
  for (std::size_t done = 0; state == Z_OK && done <= most; done = stream.total_out) {
    out.resize(std::min(most + 1, std::max(2 * done, kUsualRatio * packed.size() + 64)));
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = static_cast<uInt>(out.size() - done);
    state = inflate(&stream, Z_NO_FLUSH);
    if (stream.avail_out > 0 && state == Z_OK) state = Z_BUF_ERROR;  // it is cut
  }
  out.resize(stream.total_out);
  if (out.size() > most) return UnpackedPackets::TooLong;
  return state == Z_STREAM_END ? UnpackedPackets::Whole : UnpackedPackets::Damaged;
}

bool seemsPacked(std::string_view front) {
  constexpr unsigned kDeflate = 8;
  return front.size() > 2 && (static_cast<unsigned char>(front[0]) & 15U) == kDeflate &&
         (static_cast<unsigned char>(front[0]) * 256U + static_cast<unsigned char>(front[1])) % 31 == 0;
}

}  // namespace lanelab
