// SPDX-License-Identifier: GPL-3.0-only
// The runs of an overlay with what they measured, read once; all overlays of them are computed from these values.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/library/run_entry.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// More curves than that cannot be distinguished.
inline constexpr std::size_t kMostOverlaidRuns = 50;

struct OverlaidRun {
  std::string name;  ///< short, different from those of the others
  RunEntry entry;
  std::shared_ptr<const RunRecord> record;  ///< null: cannot be read, or left out
  bool left_out = false;                    ///< behind the first kMostOverlaidRuns
};

/// Reads the run.json of each, of the first kMostOverlaidRuns. Takes long for many; a stop leaves the rest unread. Any
/// thread.
std::vector<OverlaidRun> readOverlaid(const std::vector<RunEntry>& runs, const std::stop_token& stop = {});

}  // namespace lanelab
