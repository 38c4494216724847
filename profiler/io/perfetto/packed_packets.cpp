// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/packed_packets.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

namespace lanelab {

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
