// SPDX-License-Identifier: GPL-3.0-only
// Which lanes and rows are shown, from top to bottom, and how high: the arithmetic of a layout without any place.
#pragma once

#include <vector>

#include "ui/timeline/model/row_arrangement.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

inline constexpr double kRowGap = 2;

/// Rows of actions share what height there is; the others have their own.
struct PlannedRow {
  std::size_t place = 0;  ///< in TimelineData::rows(), or counters()
  bool counter = false;
  double fixed = 0;
  double share = 0;  ///< of the height of a row of actions

  double height(double compute) const { return fixed + share * compute; }
};

struct LanePlan {
  int lane = 0;  ///< -1: the counters of the whole run
  bool collapsed = false;
  bool pinned = false;
  int replica = -1;    ///< that it works for
  double band = 0;     ///< above it, where the lanes of its replica begin
  double padding = 0;  ///< above and below
  double title = 0;    ///< a line of its own for the name, where no row of actions stands beside it
  std::vector<PlannedRow> rows;

  double height(double compute) const;
};

double heightOf(const std::vector<LanePlan>& lanes, double compute);

/// Lanes without anything to show are left out; of our own traces each lane shows its actions. A collapsed lane shows
/// its first row, thin.
std::vector<LanePlan> planLanes(const TimelineData& data, const RowArrangement& arrangement);

}  // namespace lanelab
