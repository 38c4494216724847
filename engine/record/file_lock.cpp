// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <thread>

namespace lanelab {
namespace {

constexpr std::chrono::milliseconds kBetweenTries(5);
constexpr std::chrono::seconds kLongestWait(2);  // a window waits, too

FileHandle openLock(const std::string& path) {
  return FileHandle(::open(path.c_str(), O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
}

}  // namespace

FileLock FileLock::take(const std::string& path, std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  for (;;) {
    FileLock lock(path, openLock(path));
    if (!lock.ok()) return lock;
    if (::flock(lock.m_file.get(), LOCK_EX | LOCK_NB) == 0) {
      if (lock.holds()) return lock;
      errno = EWOULDBLOCK;  // its holder removed it between the two calls
    }
    const int error = errno;
    lock.m_file = FileHandle();
    if ((error != EWOULDBLOCK && error != EINTR) || std::chrono::steady_clock::now() >= end) {
      errno = error;
      return lock;
    }
    std::this_thread::sleep_for(kBetweenTries);
  }
}

bool FileLock::isHeld(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));  // of others it may be a FIFO
  return file.ok() && ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

bool FileLock::holds() const { return isAt(m_file, m_path); }

void FileLock::remove() const {
  if (holds()) ::unlink(m_path.c_str());  // before it is closed: nobody else can have it meanwhile
}

Result<FileLock> lockToChange(const std::string& file) {
  const std::filesystem::path path(file);
  FileLock lock = FileLock::take((path.parent_path() / ("." + path.stem().string() + ".lock")).string(), kLongestWait);
  if (lock.ok()) return lock;
  const int error = errno;
  if (error == EWOULDBLOCK)
    return Error::failed(
        "{} was not changed: another process has been changing it for {} seconds. Try again, or end that process.",
        file, kLongestWait.count());
  return cannotWrite(file, error);
}

}  // namespace lanelab
