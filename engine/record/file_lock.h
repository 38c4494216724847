// SPDX-License-Identifier: GPL-3.0-only
// A lock file: who holds it is alone with what it stands for, among all processes and threads of this machine and, if
// the file system can, of others. The kernel releases the lock of a process that ends in any way; the file that it
// leaves hinders nobody. Any thread; each object is used by one at a time.
#pragma once

#include <chrono>
#include <string>

#include "base/atomic_file.h"
#include "base/result.h"

namespace lanelab {

class FileLock {
 public:
  /// Makes the file if it is absent, and waits at most `wait` for another holder. Not ok(): errno says why, EWOULDBLOCK
  /// for a file that another still holds.
  static FileLock take(const std::string& path, std::chrono::milliseconds wait = {});
  /// Whether anybody holds the file at `path`, which may be absent or made by others. Never waits.
  static bool isHeld(const std::string& path);

  FileLock(FileLock&&) noexcept = default;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock() { remove(); }

  bool ok() const { return m_file.ok(); }
  /// Whether the file that is locked is still the one under its name: its folder may be removed and made again.
  bool holds() const;
  /// Removes the file, which is what the end of the object does, too: the next one makes its own.
  void remove() const;

 private:
  FileLock(std::string path, FileHandle file) : m_path(std::move(path)), m_file(std::move(file)) {}

  std::string m_path;
  FileHandle m_file;
};

/// The lock of one who reads, changes and writes `file`, so that nobody's changes are lost. For labels.json it is
/// .labels.lock beside it: hidden, so that a watcher of the folder does not see it. Waits at most two seconds. Errors
/// name `file`.
Result<FileLock> lockToChange(const std::string& file);

}  // namespace lanelab
