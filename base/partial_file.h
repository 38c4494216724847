// SPDX-License-Identifier: GPL-3.0-only
// Files that are being written under a name of their own before they are renamed to their place. They are removed if
// the program is ended in the middle, so that nobody takes half a file for a whole one.
#pragma once

#include <string>

#include "base/file_handle.h"

namespace lanelab {

/// A path to write `target` at first: beside it, so that the rename stays within one file system, hidden, short, with
/// 64 random bits, so that nobody can lay a link of that name there before.
std::string pathBeside(const std::string& target);

/// While it lives, removePartialFiles() removes the file at its path. Threads: each object is used by one at a time.
class PartialFile {
 public:
  explicit PartialFile(std::string path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::string& path() const { return m_path; }
  /// Makes the file for writing. One that is there already, a link too, is an error. Not ok(): errno says why.
  FileHandle create() const;
  /// Puts the written file in the place of `target`, or removes it. 0, or errno.
  int renameTo(const std::string& target) const;

 private:
  std::string m_path;
};

/// Removes the files of all living PartialFiles, as the last act of a program that a signal ends. Any thread.
void removePartialFiles();

}  // namespace lanelab
