// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/file_checksum.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/fingerprint.h"

namespace lanelab {

namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
constexpr std::string_view kAnyMetadata = R"({"__metadata__")";

}  // namespace

void FileChecksum::add(const void* bytes, std::uint64_t count) {
  if (count > 0) m_sum = ::crc32_z(m_sum, static_cast<const Bytef*>(bytes), count);
}

std::string FileChecksum::text() const { return hexDigits(m_sum, static_cast<int>(kNoChecksum.size())); }

std::string checksumProblem(const ReadableBytes& source) {
  const std::uint64_t head_bytes = kChecksumAt + kNoChecksum.size();
  std::string head(std::min(source.size, head_bytes), '\0');
  if (!source.read(0, head.data(), head.size())) return "it cannot be read";
  const std::string_view json = std::string_view(head).substr(std::min(head.size(), sizeof(std::uint64_t)));
  if (!json.starts_with(kAnyMetadata)) return "";
  if (head.size() < head_bytes || !json.starts_with(kChecksumHead)) return "it has no checksum where one belongs";
  const std::string wanted = head.substr(kChecksumAt);
  head.replace(kChecksumAt, kNoChecksum.size(), kNoChecksum);
  FileChecksum sum;
  sum.add(head.data(), head.size());
  std::vector<char> some(kChunk);
  for (std::uint64_t at = head_bytes; at < source.size; at += kChunk) {
    const std::uint64_t count = std::min(kChunk, source.size - at);
    if (!source.read(at, some.data(), count)) return "it cannot be read";
    sum.add(some.data(), count);
  }
  return sum.text() == wanted ? "" : "its checksum is " + wanted + ", and that of its bytes is " + sum.text();
}

std::string checkFileChecksum(const std::string& path) {
  const Result<ReadableBytes> source = openBytes(path);
  return source.ok() ? checksumProblem(*source) : source.error().message;
}

}  // namespace lanelab
