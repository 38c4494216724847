// SPDX-License-Identifier: GPL-3.0-only
// --runs DIR: the folder that runs are stored in and listed from, in place of the user's own.
#pragma once

#include <string>

#include "app/cli/command.h"

namespace lanelab {

/// `runs` remains empty for the user's own folder and those that were added to the list.
Option addRunsOption(const Command& command, std::string& runs);

/// Where a new run goes: `out` if it is not empty, else a free folder in the runs folder, named after the experiment
/// and the time.
std::string newRunFolder(const std::string& out, const std::string& runs, const std::string& experiment_name);

/// The folder of the run that `word` names, among those that `runs` lists: by its id, the begin of one, or its name.
/// The word itself if it is a path that exists, or names no run or several.
std::string folderOfRun(const std::string& word);

}  // namespace lanelab
