// SPDX-License-Identifier: GPL-3.0-only
// Ranges of a run's timelines that a person keeps under a name, in bookmarks.json of the run folder:
//   {"schema": 1, "bookmarks": [{"name", "variant", "start_ns", "end_ns"}]}, times on the trace's own axis.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profiler/trace/trace.h"

namespace lanelab {

struct Bookmark {
  std::string name;
  std::string variant;  ///< whose trace it lies in; "" for a trace that belongs to no run
  TimeRange range;
  bool operator==(const Bookmark&) const = default;
};

/// "step 3, 12.4 ms": the step where the range lies in one, "steps 3 to 5" where in several.
std::string defaultBookmarkName(const Trace& trace, TimeRange range);

std::string toJson(const std::vector<Bookmark>& bookmarks);
/// Errors (BadInput) name `place` and the field; unknown keys are passed over, a newer schema is refused.
Result<std::vector<Bookmark>> parseBookmarks(const std::string& json, const std::string& place);

/// None where the folder has no such file. Errors name the path.
Result<std::vector<Bookmark>> readBookmarks(const std::string& folder);
/// Reads, changes and writes them while no other window does, so that none loses what another added. What they are
/// then. Written aside and renamed. A file there that cannot be read is kept as bookmarks-unread.json (-2, -3 ... where
/// that is taken), and counts as none. Errors name the path.
Result<std::vector<Bookmark>> changeBookmarks(const std::string& folder,
                                              const std::function<void(std::vector<Bookmark>&)>& change);

/// name,variant,start_us,length_us,lane,busy_us,idle_us: one row a lane and bookmark of this trace's variant; start_us
/// counts from the trace's start. Idle is what the lane's actions leave of the range's part inside step windows.
std::string bookmarksCsv(const std::vector<Bookmark>& bookmarks, const Trace& trace);

}  // namespace lanelab
