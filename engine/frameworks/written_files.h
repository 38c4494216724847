// SPDX-License-Identifier: GPL-3.0-only
// Files that are made as values, and written into a folder together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

struct WrittenFiles {
  std::map<std::string, std::string> texts;   ///< by name in the folder
  std::map<std::string, std::string> copies;  ///< name in the folder -> file to copy, also one in the program
  std::vector<std::string> notes;             ///< sentences for the reader: what the files leave out
};

/// Makes the folder, which is absent or empty. Errors: BadInput if it is not empty; Failed if it cannot be written.
Status writeFiles(const WrittenFiles& files, const std::string& folder);

}  // namespace lanelab
