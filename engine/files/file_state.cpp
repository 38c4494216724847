// SPDX-License-Identifier: GPL-3.0-only
#include "engine/files/file_state.h"

#include <sys/stat.h>

namespace lanelab {

FileState fileStateOf(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {.path = path};
  return {path, facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec};
}

}  // namespace lanelab
