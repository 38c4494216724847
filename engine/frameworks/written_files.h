// SPDX-License-Identifier: GPL-3.0-only
// Files that are made as values, and written into a folder together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "base/result.h"

namespace lanelab {

struct WrittenFiles {
  std::map<std::string, std::string> texts = {};   ///< by name in the folder
  std::map<std::string, std::string> copies = {};  ///< name in the folder -> file to copy, also one in the program
  std::vector<Message> notes = {};                 ///< sentences for the reader: what the files leave out
  std::string excerpt = {};                        ///< what users paste into a configuration of their own; "": nothing
  std::string command = {};                        ///< that runs them, within the folder; "": none
};

/// Makes the folder, which is absent or empty. Errors: BadInput if it is not empty; Failed if it cannot be written;
/// Cancelled, and nothing of it stays.
Status writeFiles(const WrittenFiles& files, const std::string& folder, const WorkControl& control = {});

}  // namespace lanelab
