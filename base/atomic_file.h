// SPDX-License-Identifier: GPL-3.0-only
// Writes a whole file aside and renames it over its place, so that nobody ever reads half a file. What is being written
// is removed if the program is ended in the middle. Any thread.
#pragma once

#include <unistd.h>

#include <string>
#include <utility>

#include "base/result.h"

namespace lanelab {

/// Whether a write waits until the disk has it, which may take seconds while others use the disk.
enum class Durable { No, Yes };

/// Errors name the path, the reason and what to do.
Status writeFileAtomically(const std::string& path, const std::string& content, Durable durable = Durable::Yes);

/// What errno means for someone who writes, and what to do: "the disk is full. Free some space, or choose a folder on
/// another disk".
std::string reasonNotWritten(int error);
/// BadInput for a name that no file system takes, which is a mistake of whoever chose it; else Failed.
Error writeError(int error, Message message);
template <class... Values>
Error writeError(int error, MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
  return writeError(error, sentence<Values...>(code, values...));
}

/// "PATH cannot be written: ...", by errno.
Error cannotWrite(const std::string& path, int error);

/// A file descriptor that closes itself.
class FileHandle {
 public:
  explicit FileHandle(int fd = -1) : m_fd(fd) {}
  FileHandle(FileHandle&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(m_fd, other.m_fd);
    return *this;
  }
  ~FileHandle() {
    if (m_fd >= 0) ::close(m_fd);
  }
  int get() const { return m_fd; }
  /// Hands the descriptor over to one who closes it, such as fdopen().
  int release() { return std::exchange(m_fd, -1); }
  bool ok() const { return m_fd >= 0; }

 private:
  int m_fd;
};

/// A path to write `target` at first: beside it, so that the rename stays within one file system, hidden, short, with
/// 64 random bits, so that nobody can lay a link of that name there before.
std::string pathBeside(const std::string& target);

/// Whether `file` is the one at `path`: another may have its name by now.
bool isAt(const FileHandle& file, const std::string& path);

/// A file that is being written aside. What was not renamed is removed with it, or by removePartialFiles() while it
/// lives. A program that is killed leaves it, and the next one that writes the same target removes it. Threads: each
/// object is used by one at a time.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  /// At pathBeside(target), with `extension` behind it. Removes what killed programs left there of the same target.
  static PartialFile beside(const std::string& target, const std::string& extension = {});
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return m_path; }
  /// Makes the file for writing, and locks it for as long as this object lives. One that is there already, a link too,
  /// is an error. Not ok(): errno says why.
  FileHandle create();
  /// Puts the written file in the place of `target`, or removes it; Durable::Yes: so that file and rename outlive a
  /// power cut. 0, or errno; ENOTSUP if `target` is a device, pipe or socket, which stays.
  int renameTo(const std::string& target, Durable durable = Durable::No) const;

 private:
  std::string m_path;
  FileHandle m_lock;  ///< says that the file is in use
};

/// Removes the files in `folder` that a killed program left behind under names of pathBeside(). For whoever knows that
/// nobody writes there now.
void removeLeftParts(const std::string& folder);

/// Removes the files of all living PartialFiles, as the last act of a program that a signal ends. Any thread.
void removePartialFiles();

}  // namespace lanelab
