// SPDX-License-Identifier: GPL-3.0-only
// Where runs are stored: the user's own folder by the XDG rules, and further folders that the user adds to the list.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// $XDG_DATA_HOME/lanelab/runs, or ~/.local/share/lanelab/runs. Not made here.
std::string userRunsFolder();

/// Folders that are listed. New runs go to the first.
struct RunFolders {
  std::string own;                 ///< absolute
  std::vector<std::string> added;  ///< absolute; may be absent at the moment
  bool chosen = false;             ///< by --runs: the list of added folders does not count
  std::vector<std::string> all() const;
};
/// `chosen` is what --runs gave: only that folder counts. Empty: the user's folder and those that were added. A list
/// that cannot be read counts as empty; `warning` gets the sentence.
RunFolders runFolders(const std::string& chosen, std::string* warning = nullptr);

/// The added folders, in $XDG_CONFIG_HOME/lanelab/run-folders.json (~/.config). Errors name file or folder.
Result<std::vector<std::string>> addedRunFolders();
Status addRunFolder(const std::string& folder);
Status removeRunFolder(const std::string& folder);

}  // namespace lanelab
