// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/shipped_files.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "engine/files/shipped_bytes.h"

namespace lanelab {

namespace {

constexpr std::string_view kPackedEnd = ".gz";
constexpr std::size_t kLargestText = std::size_t{1} << 22;

std::string nameOf(const ShippedBytes& file) {
  const bool packed = file.name.ends_with(kPackedEnd);
  return std::string(file.name.substr(0, file.name.size() - (packed ? kPackedEnd.size() : 0)));
}

ReadableBytes bytesAt(std::span<const unsigned char> bytes, std::shared_ptr<const std::string> owner) {
  return {bytes.size(), [bytes, owner = std::move(owner)](std::uint64_t offset, void* to, std::uint64_t count) {
            if (offset > bytes.size() || count > bytes.size() - offset) return false;
            if (count > 0) std::memcpy(to, bytes.data() + offset, count);
            return true;
          }};
}

/// gzip's content.
Result<ReadableBytes> unpacked(std::span<const unsigned char> bytes) {
  auto text = std::make_shared<std::string>(kLargestText, '\0');
  z_stream stream{};
  if (::inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return Error::failed("zlib does not start");
  stream.next_in = const_cast<unsigned char*>(bytes.data());
  stream.avail_in = static_cast<unsigned>(bytes.size());
  stream.next_out = reinterpret_cast<unsigned char*>(text->data());
  stream.avail_out = static_cast<unsigned>(text->size());
  const int end = ::inflate(&stream, Z_FINISH);
  text->resize(stream.total_out);
  ::inflateEnd(&stream);
  if (end != Z_STREAM_END) return Error::failed("its bytes in the program are damaged; build the program again");
  text->shrink_to_fit();
  return bytesAt({reinterpret_cast<const unsigned char*>(text->data()), text->size()}, text);
}

/// All of them, as paths, sorted.
std::vector<std::string> shippedPaths() {
  std::vector<std::string> paths;
  for (const ShippedBytes& file : kShippedBytes) paths.push_back(std::string(kShippedPrefix) + nameOf(file));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

Result<ReadableBytes> openShipped(const std::string& path) {
  const auto file = std::ranges::find(kShippedBytes, withoutShipped(path), nameOf);
  if (file == kShippedBytes.end()) return Error::badInput("LaneLab does not have it, but {}", joinAnd(shippedPaths()));
  return file->name.ends_with(kPackedEnd) ? unpacked(file->bytes) : bytesAt(file->bytes, nullptr);
}

}  // namespace lanelab
