// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/readable_bytes.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/regular_file.h"
#include "base/text.h"
#include "engine/files/shipped_files.h"

namespace lanelab {

namespace {

/// Linux reads at most 2 GiB at once.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{1} << 30;

bool readAt(int fd, std::uint64_t offset, void* to, std::uint64_t bytes) {
  auto* out = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t n = ::pread(fd, out, std::min(bytes, kMostAtOnce), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    out += n;
    offset += static_cast<std::uint64_t>(n);
    bytes -= static_cast<std::uint64_t>(n);
  }
  return true;
}

bool isWithin(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

}  // namespace

Result<ReadableBytes> openBytes(const std::string& path) {
  if (isShipped(path)) return openShipped(path);
  OpenedFile opened = openRegularFile(path);
  if (!opened.file) return Error::badInput(verbatim(opened.reason));
  struct stat facts {};
  if (::fstat(::fileno(opened.file.get()), &facts) != 0) return Error::badInput("its size is not known");
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  const std::shared_ptr<std::FILE> file = std::move(opened.file);
  return ReadableBytes{size, [file, size](std::uint64_t offset, void* to, std::uint64_t bytes) {
                         return isWithin(offset, bytes, size) && readAt(::fileno(file.get()), offset, to, bytes);
                       }};
}

std::optional<std::string> bytesAt(const ReadableBytes& source, std::uint64_t at, std::uint64_t count) {
  std::string bytes(count, '\0');
  return source.read(at, bytes.data(), count) ? std::optional(std::move(bytes)) : std::nullopt;
}

Result<std::string> allBytes(const ReadableBytes& source, std::uint64_t most) {
  if (source.size > most) return Error::badInput("it is larger than {}", formatBytes(static_cast<std::int64_t>(most)));
  std::optional<std::string> bytes = bytesAt(source, 0, source.size);
  if (!bytes) return Error::badInput("it ends too early");
  return std::move(*bytes);
}

}  // namespace lanelab
