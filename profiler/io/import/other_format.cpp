// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/import/other_format.h"

#include <algorithm>

#include "profiler/io/perfetto/protobuf.h"

namespace lanelab {

namespace {

struct Signature {
  std::string_view bytes;
  std::string_view what;
};

/// From the descriptions of the formats.
constexpr Signature kArchives[] = {{"PK\x03\x04", "zip"}, {"7z\xBC\xAF\x27\x1C", "7z"}, {"Rar!\x1A\x07", "rar"}};
constexpr Signature kCompressed[] = {{"\x28\xB5\x2F\xFD", "zstd -d"},
                                     {std::string_view("\xFD\x37zXZ\0", 6), "xz -d"},
                                     {"BZh", "bzip2 -d"},
                                     {std::string_view("\x04\x22\x4D\x18", 4), "lz4 -d"}};

bool isTar(std::string_view head) {
  constexpr std::size_t kPlace = 257;  // of the magic in the header of POSIX
  return head.size() > kPlace && head.substr(kPlace).starts_with("ustar");
}

/// Whether these bytes begin an XSpace: planes (field 1) with a number and then a name (field 2), which begins with a
/// path of the host or a device (tsl/profiler/protobuf/xplane.proto).
bool isXSpace(std::string_view head) {
  constexpr std::uint32_t kPlanes = 1, kId = 1, kName = 2;
  const auto plane = readHead(head);
  if (!plane || plane->number != kPlanes || !plane->has_bytes) return false;
  head = head.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(plane->size, head.size())));
  auto field = readHead(head);
  if (field && field->number == kId && !field->has_bytes) field = readHead(head);
  if (!field || field->number != kName || !field->has_bytes) return false;
  const std::string_view name =
      head.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(field->size, head.size())));
  constexpr std::string_view kBegins[] = {"/host:", "/device:", "/job:", "Task Environment", "#Chip"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

std::optional<std::string> otherFormat(std::string_view head) {
  for (const Signature& archive : kArchives)
    if (head.starts_with(archive.bytes))
      return "is an archive (" + std::string(archive.what) + "). Unpack it and open one of the traces in it.";
  if (isTar(head)) return "is an archive (tar). Unpack it and open one of the traces in it.";
  for (const Signature& compressed : kCompressed)
    if (head.starts_with(compressed.bytes))
      return "is compressed. Unpack it with " + std::string(compressed.what) + " and open what comes out.";
  if (isXSpace(head))
    return "is a profile of TensorFlow or JAX (XSpace), which only their own tools read. Open the trace.json.gz beside "
           "it; tensorboard_plugin_profile or xprof converts it.";
  return std::nullopt;
}

}  // namespace lanelab
