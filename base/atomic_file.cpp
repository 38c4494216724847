// SPDX-License-Identifier: GPL-3.0-only
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
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

constexpr int kRandomDigits = 16;
constexpr std::string_view kBesideEnd = ".tmp";

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

/// Of pathBeside(), without an extension behind it.
bool isNameBeside(std::string_view name) {
  if (!name.starts_with('.') || !name.ends_with(kBesideEnd)) return false;
  name.remove_suffix(kBesideEnd.size());
  if (name.size() < 2 + kRandomDigits) return false;
  const std::string_view digits = name.substr(name.size() - kRandomDigits);
  return name[name.size() - kRandomDigits - 1] == '.' &&
         digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The name of a file beside `target`, until its random digits.
std::string besideBegin(const std::string& target) {
  return "." + shortFileName(std::filesystem::path(target).filename().string()) + ".";
}

/// Whether pathBeside() made this name for a target with this begin; an extension may follow.
bool isBeside(std::string_view name, std::string_view begin) {
  if (!name.starts_with(begin)) return false;
  name.remove_prefix(begin.size());
  const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  return digits == kRandomDigits && name.substr(digits).starts_with(kBesideEnd);
}

void removeUnlessInUse(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat facts {};
  if (!file.ok() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0 && isAt(file, path)) ::unlink(path.c_str());
}

void removeAbandoned(const std::string& target) {
  const std::filesystem::path parent = std::filesystem::path(target).parent_path();
  const std::string begin = besideBegin(target);
  std::error_code error;
  for (std::filesystem::directory_iterator it(parent.empty() ? "." : parent, error), end; !error && it != end;
       it.increment(error))
    if (isBeside(it->path().filename().string(), begin)) removeUnlessInUse(it->path().string());
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

Error cannotWrite(const std::string& path, int error) {
  return writeError(error, sentence("{} cannot be written: {}.", path, reasonNotWritten(error)));
}

Status writeFileAtomically(const std::string& path, const std::string& content, Durable durable) {
  PartialFile partial = PartialFile::beside(path);
  {
    const FileHandle file = partial.create();
    if (!file.ok()) return cannotWrite(path, errno);
    if (const Status written = writeAll(file.get(), content, path); !written.ok()) return written;
  }
  if (const int error = partial.renameTo(path, durable)) return cannotWrite(path, error);
  return {};
}

std::string pathBeside(const std::string& target) {
  const std::string name = besideBegin(target) + hexDigits(randomBits(), kRandomDigits) + std::string(kBesideEnd);
  return (std::filesystem::path(target).parent_path() / name).string();
}

bool isAt(const FileHandle& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return file.ok() && ::fstat(file.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

PartialFile::PartialFile(std::string path) : m_path(std::move(path)) {
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(m_path);
}

PartialFile PartialFile::beside(const std::string& target, const std::string& extension) {
  removeAbandoned(target);
  return PartialFile(pathBeside(target) + extension);
}

PartialFile::~PartialFile() {
  ::unlink(m_path.c_str());
  const std::lock_guard lock(registry().mutex);
  registry().paths.erase(registry().paths.find(m_path));
}

FileHandle PartialFile::create() {
  for (;;) {
    FileHandle file(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file.ok()) return file;
    // Who takes it for abandoned in this instant removes it at once. Some file systems have no locks.
    if (::flock(file.get(), LOCK_EX) == 0 && !isAt(file, m_path)) continue;
    m_lock = FileHandle(::fcntl(file.get(), F_DUPFD_CLOEXEC, 0));
    return file;
  }
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
