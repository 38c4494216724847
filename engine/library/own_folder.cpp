// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/own_folder.h"

#include <filesystem>

#include "base/atomic_file.h"

namespace lanelab {

std::string ownFolder(const std::string& root, const std::string& part) {
  return (std::filesystem::path(root) / ".lanelab" / part).string();
}

Result<std::string> makeOwnFolder(const std::string& root, const std::string& part) {
  const std::string folder = ownFolder(root, part);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return writeError(error.value(), "The folder {} cannot be made: {}.", folder, reasonNotWritten(error.value()));
  return folder;
}

}  // namespace lanelab
