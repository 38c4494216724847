// SPDX-License-Identifier: GPL-3.0-only
// A schedule as a grid in unit times: who computes what in which column, and where an order cannot be kept. Pure
// values; any thread.
//
// A forward takes one column, a whole backward two, its input and weight part one each, as in the figures of the
// literature.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/schedule/schedule.h"

namespace lanelab {

struct GridCell {
  Action action;
  std::int64_t start = 0;
  std::int64_t length = 1;
  std::optional<Action> missing;  ///< what it waits for in vain: the dependency that the order breaks

  std::int64_t end() const { return start + length; }
};

struct ScheduleGrid {
  std::vector<std::vector<GridCell>> lanes;  ///< in the order of the schedule's rows
  std::int64_t columns = 0;
  std::int64_t busy = 0;  ///< columns that the lanes with work compute in, together
  int lanes_with_work = 0;
  int broken = 0;  ///< cells with something missing

  /// Columns in which a lane with work is idle, of all columns of those lanes.
  double idleShare() const;
};

/// Whether every action lies within the schedule's stages and micro-batches; only such a schedule has a grid.
bool hasGrid(const Schedule& schedule);

/// Executes the lanes side by side in thought. Where they block each other, one action of the circle is marked and goes
/// on as if its input had come, so that the rest of a broken schedule is shown too. Linear in actions times lanes.
ScheduleGrid layOutSchedule(const Schedule& schedule);

/// The action at `from` put at place `to` of the same row, those between moved by one; unchanged where either is out of
/// range.
Schedule withActionMoved(Schedule schedule, std::size_t lane, std::size_t from, std::size_t to);

/// The backward at `index`: B becomes I with its W right after; I or W becomes B where the I was, and the other part
/// goes. Forwards stay.
Schedule withBackwardSplitOrJoined(Schedule schedule, std::size_t lane, std::size_t index);

}  // namespace lanelab
