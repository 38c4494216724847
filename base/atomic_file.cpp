// SPDX-License-Identifier: GPL-3.0-only
#include "base/atomic_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/file_handle.h"
#include "base/partial_file.h"

namespace lanelab {
namespace {

Error cannotWrite(const std::string& path, int error) {
  return writeError(error, path + " cannot be written: " + reasonNotWritten(error) + ".");
}

Status writeAll(int fd, std::string_view content, const std::string& path, Durable durable) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannotWrite(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return durable == Durable::No || ::fsync(fd) == 0 ? Status() : Status(cannotWrite(path, errno));
}

/// Waits until the disk has the folder of `path`, so that the rename, too, outlives a power cut; not every file system
/// can.
void storeRename(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const FileHandle folder(::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.ok()) ::fsync(folder.get());
}

}  // namespace

std::string reasonNotWritten(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT: return "the disk is full. Free some space, or choose a folder on another disk";
    case EROFS: return "the file system is read-only. Choose another folder";
    case EACCES:
    case EPERM: return "it may not be written. Choose another folder, or change its permissions";
    case EFBIG: return "it would be larger than the limit on file sizes. Raise the limit (ulimit -f)";
    case ENAMETOOLONG: return "file name too long. Choose a shorter one";
    default: return std::string(std::strerror(error)) + ". Choose another folder";
  }
}

Error writeError(int error, std::string message) {
  return error == ENAMETOOLONG ? Error::badInput(std::move(message)) : Error::failed(std::move(message));
}

Status writeFileAtomically(const std::string& path, const std::string& content, Durable durable) {
  const PartialFile partial(pathBeside(path));
  Status status;
  {
    const FileHandle file = partial.create();
    if (!file.ok()) return cannotWrite(path, errno);
    status = writeAll(file.get(), content, path, durable);
  }
  if (!status.ok()) {
    ::unlink(partial.path().c_str());
    return status;
  }
  if (const int error = partial.renameTo(path)) return cannotWrite(path, error);
  if (durable == Durable::Yes) storeRename(path);
  return {};
}

}  // namespace lanelab
