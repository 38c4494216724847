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
#include <vector>

#include "base/fingerprint.h"
#include "base/text.h"

namespace lanelab {
namespace {

Error cannotWrite(const std::string& path, int error) {
  return writeError(error, sentence("{} cannot be written: {}.", path, reasonNotWritten(error)));
}

Status writeAll(int fd, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return cannotWrite(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

/// Waits until the disk has the file. 0, or errno.
int storeFile(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  return file.ok() && ::fsync(file.get()) == 0 ? 0 : errno;
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

const std::string kEnding = ".tmp";

/// Of pathBeside().
bool isNameBeside(std::string_view name) {
  constexpr std::size_t kDigits = 16;
  if (!name.starts_with('.') || !name.ends_with(kEnding) || name.size() < 2 + kDigits + kEnding.size()) return false;
  name.remove_suffix(kEnding.size());
  const std::string_view digits = name.substr(name.size() - kDigits);
  return name[name.size() - kDigits - 1] == '.' &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
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
  {
    const FileHandle file = partial.create();
    if (!file.ok()) return cannotWrite(path, errno);
    if (const Status written = writeAll(file.get(), content, path); !written.ok()) return written;
  }
  if (const int error = partial.renameTo(path, durable)) return cannotWrite(path, error);
  return {};
}

std::string pathBeside(const std::string& target) {
  const std::filesystem::path whole(target);
  const std::string name = "." + shortFileName(whole.filename().string()) + "." + hexDigits(randomBits()) + kEnding;
  return (whole.parent_path() / name).string();
}

PartialFile::PartialFile(std::string path) : m_path(std::move(path)) {
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(m_path);
}

PartialFile::~PartialFile() {
  ::unlink(m_path.c_str());
  const std::lock_guard lock(registry().mutex);
  registry().paths.erase(registry().paths.find(m_path));
}

FileHandle PartialFile::create() const {
  return FileHandle(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

int PartialFile::renameTo(const std::string& target, Durable durable) const {
  int error = isSpecial(target) ? ENOTSUP : durable == Durable::Yes ? storeFile(m_path) : 0;
  if (error == 0 && ::rename(m_path.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0)
    ::unlink(m_path.c_str());
  else if (durable == Durable::Yes)
    storeRename(target);
  return error;
}

void removeLeftParts(const std::string& folder) {
  std::error_code ignored;
  std::vector<std::filesystem::path> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (isNameBeside(entry.path().filename().string()) && entry.is_regular_file(ignored)) left.push_back(entry.path());
  for (const std::filesystem::path& path : left) std::filesystem::remove(path, ignored);
}

void removePartialFiles() {
  const std::lock_guard lock(registry().mutex);
  for (const std::string& path : registry().paths) std::remove(path.c_str());
}

}  // namespace lanelab
