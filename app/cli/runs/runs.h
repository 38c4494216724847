// SPDX-License-Identifier: GPL-3.0-only
// What the parts of the command `runs` share: which runs are meant, and how subcommands are added.
#pragma once

#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "engine/library/run_folders.h"
#include "engine/library/run_index.h"

namespace lanelab {

/// The folders that --runs or the user's list names; a list that cannot be read is reported on stderr.
RunFolders chosenFolders(const std::string& runs);

/// All runs of these folders, up to date.
RunIndex refreshedIndex(const RunFolders& folders, const std::stop_token& stop);

/// The runs that the words name: folders, ids, begins of ids or names. BadInput for the first that names none.
Result<std::vector<RunEntry>> findRuns(const std::vector<std::string>& words, const std::string& runs,
                                       const std::stop_token& stop);

// Each adds the subcommands of one subject.
void addRunLabels(const Command& runs, CliContext& context);  ///< tag, untag, note, star, unstar, rename
void addRunTrash(const Command& runs, CliContext& context);   ///< delete, restore, trash
void addRunCompare(const Command& runs, CliContext& context);
void addRunOverlay(const Command& runs, CliContext& context);
void addRunFolderList(const Command& runs, CliContext& context);  ///< folders, rebuild, import

}  // namespace lanelab
