// SPDX-License-Identifier: GPL-3.0-only
// Deleted runs, which can be restored: they are in .lanelab/trash beside the run folder, as <UTC time>-<id>, until the
// trash is emptied on demand or after 30 days.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

inline constexpr int kTrashDays = 30;

struct TrashedRun {
  std::string folder;    ///< where it is now
  std::string original;  ///< where it was
  std::string deleted;   ///< ISO 8601, UTC
  bool operator==(const TrashedRun&) const = default;
};

/// Moves a run folder to the trash. Refuses one that a process is writing, and what is not a run folder.
Result<TrashedRun> trashRun(const std::string& folder);
/// Moves it back; returns the folder, with "-2" ... behind its name where that is taken by now.
Result<std::string> restoreRun(const TrashedRun& run);
/// Newest first, of the runs folder `root`.
std::vector<TrashedRun> trashedRuns(const std::string& root);
/// Removes for good what was deleted at least `days` days ago; 0 days: everything. Returns how many runs.
Result<int> emptyTrash(const std::string& root, int days = kTrashDays);

}  // namespace lanelab
