// SPDX-License-Identifier: GPL-3.0-only
#include "base/whole_file.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/regular_file.h"
#include "base/text.h"

namespace lanelab {

Result<std::string> readWholeFile(const std::string& path, std::uint64_t limit) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? Error::badInput("{} does not exist. Check the name.", path)
                           : Error::badInput("{} cannot be read: {}.", path, std::strerror(errno));
  }
  const Error too_large = Error::badInput("{} is larger than {}, so it was not read. Check that it is the right file.",
                                          path, formatBytes(static_cast<std::int64_t>(limit)));
  if (S_ISDIR(info.st_mode)) return Error::badInput("{} is a folder. Name a file.", path);
  const OpenedFile opened = openRegularFile(path);
  if (!opened.file)
    return Error::badInput("{} cannot be read ({}). Name a regular file that you may read.", path, opened.reason);
  if (static_cast<std::uint64_t>(info.st_size) > limit) return too_large;
  std::string content;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, opened.file.get())) {
    content.append(buffer, count);
    if (content.size() > limit) return too_large;
  }
  if (std::ferror(opened.file.get()))
    return Error::badInput("{} cannot be read ({}). Check the disk.", path, std::strerror(errno));
  return content;
}

}  // namespace lanelab
