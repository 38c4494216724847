// SPDX-License-Identifier: GPL-3.0-only
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>
#include <string_view>

#include "base/fingerprint.h"
#include "base/text.h"

namespace lanelab {
namespace {

Error cannotWrite(const std::string& path, int error) {
  return writeError(error, sentence("{} cannot be written: {}.", path, reasonNotWritten(error)));
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

struct Registry {
  std::mutex mutex;
  std::multiset<std::string> paths;
};

/// Never destroyed: threads that still write may outlive static objects.
Registry& registry() {
  static Registry* const all = new Registry;
  return *all;
}

/// Of the system's own random source.
std::uint64_t randomBits() {
  std::random_device source;
  return (std::uint64_t{source()} << 32) | source();
}

/// A device, pipe or socket, also behind a link such as /dev/stdout: a rename would put a file in its place.
bool isSpecial(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) return true;
  std::error_code none;
  return std::filesystem::read_symlink(path, none).string().starts_with("/proc/");
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
    case ENOENT: return "its folder does not exist, or takes no new files. Choose another folder";
    case ENOTDIR: return "a part of its path is a file and not a folder. Choose another folder";
    case EISDIR: return "it is a folder. Choose another name";
    case ENOTSUP: return "it is a device, pipe or socket and not a file. Choose the name of a file";
    case EMFILE:
    case ENFILE: return "too many files are open. Raise the limit (ulimit -n), or close other programs";
    default: return std::string(std::strerror(error)) + ". Choose another folder";
  }
}

Error writeError(int error, Message message) {
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

std::string pathBeside(const std::string& target) {
  const std::filesystem::path whole(target);
  const std::string name = "." + shortFileName(whole.filename().string()) + "." + hexDigits(randomBits()) + ".tmp";
  return (whole.parent_path() / name).string();
}

PartialFile::PartialFile(std::string path) : m_path(std::move(path)) {
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(m_path);
}

PartialFile::~PartialFile() {
  const std::lock_guard lock(registry().mutex);
  registry().paths.erase(registry().paths.find(m_path));
}

FileHandle PartialFile::create() const {
  return FileHandle(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

int PartialFile::renameTo(const std::string& target) const {
  const bool special = isSpecial(target);
  if (!special && ::rename(m_path.c_str(), target.c_str()) == 0) return 0;
  const int error = special ? ENOTSUP : errno;
  ::unlink(m_path.c_str());
  return error;
}

void removePartialFiles() {
  const std::lock_guard lock(registry().mutex);
  for (const std::string& path : registry().paths) std::remove(path.c_str());
}

}  // namespace lanelab
