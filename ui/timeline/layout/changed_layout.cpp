// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/changed_layout.h"

#include <utility>

namespace lanelab {

TimelineLayout changedLayout(TimelineLayout measured, const ChangedTimeline& changed) {
  std::vector<RowBox> rows;
  for (const RowBox& box : measured.rows)
    if (const auto row = changed.rowFor(box.row)) rows.push_back({*row, box.rect, box.pinned});
  measured.rows = std::move(rows);
  measured.counters.clear();
  measured.predicted.clear();
  return measured;
}

}  // namespace lanelab
