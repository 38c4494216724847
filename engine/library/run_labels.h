// SPDX-License-Identifier: GPL-3.0-only
// The user's own data of a run, in labels.json of its folder, so that a copied folder retains it:
//   {"schema": 1, "name": "...", "tags": ["..."], "note": "...", "star": true}
// run.json remains as the run wrote it. Any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

inline constexpr std::size_t kMostLabelBytes = 64U << 10U;  ///< of a note, a name or all tags

struct RunLabels {
  std::string name;               ///< empty: the experiment's name is shown
  std::vector<std::string> tags;  ///< in the order in which they were added, none twice
  std::string note;               ///< may have several lines
  bool star = false;
  bool operator==(const RunLabels&) const = default;
};

/// Defaults for a folder without the file. Errors (BadInput) name the file and the field.
Result<RunLabels> readLabels(const std::string& folder);
/// Reads, changes and writes them while nobody else does, in any process or thread: none loses what another wrote.
/// Waits at most two seconds for others. Written aside and renamed; labels that are all default remove the file. Names
/// and tags are trimmed, empty tags and tags given twice are left out. Errors name the path.
Status changeLabels(const std::string& folder, const std::function<void(RunLabels&)>& change);

void addTag(RunLabels& labels, const std::string& tag);
void removeTag(RunLabels& labels, const std::string& tag);

}  // namespace lanelab
