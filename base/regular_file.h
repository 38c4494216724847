// SPDX-License-Identifier: GPL-3.0-only
// Opens files that somebody else may have made. A FIFO, device or socket under the name of a file would block the
// reader for ever or never end, so only regular files are read. Pure functions; any thread.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

namespace lanelab {

struct OpenedFile {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{nullptr, std::fclose};  ///< null if the file cannot be read
  std::string reason;  ///< then why, for behind "cannot read PATH: ": "no such file or directory", "a named pipe, not a
                       ///< regular file"
};

/// Opens for reading, without ever waiting, and never what is known to be no regular file. Symbolic links are followed.
OpenedFile openRegularFile(const std::string& path);

/// Why `path` cannot be read as a regular file, as OpenedFile::reason; empty if it can. For libraries that open files
/// themselves.
std::string whyNotRegularFile(const std::string& path);

}  // namespace lanelab
