// SPDX-License-Identifier: GPL-3.0-only
#include "ui/schedule/schedule_grid.h"

#include <algorithm>
#include <utility>

#include "engine/schedule/dependencies.h"

namespace lanelab {
namespace {

std::int64_t lengthOf(ActionKind kind) { return kind == ActionKind::Backward ? 2 : 1; }

class GridRun {
 public:
  explicit GridRun(const Schedule& schedule)
      : m_schedule(schedule), m_ends(schedule.stages, schedule.micro_batches), m_lane_of(m_ends.size(), -1) {
    m_grid.lanes.resize(schedule.lanes.size());
    for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane)
      for (const Action& action : schedule.lanes[lane]) m_lane_of[m_ends.indexOf(action)] = static_cast<int>(lane);
  }

  ScheduleGrid run() {
    while (true) {
      while (advanceAll()) {
      }
      const auto stuck = firstStuck();
      if (!stuck) break;
      place(breakCircle(*stuck));
    }
    sumUp();
    return std::move(m_grid);
  }

 private:
  bool ended(std::size_t lane) const { return m_grid.lanes[lane].size() == m_schedule.lanes[lane].size(); }
  const Action& head(std::size_t lane) const { return m_schedule.lanes[lane][m_grid.lanes[lane].size()]; }

  bool advanceAll() {
    bool moved = false;
    for (std::size_t lane = 0; lane < m_schedule.lanes.size(); ++lane) {
      while (!ended(lane) && readyTime(head(lane), m_schedule.stages, m_ends) >= 0) {
        place(lane);
        moved = true;
      }
    }
    return moved;
  }

  void place(std::size_t lane) {
    auto& row = m_grid.lanes[lane];
    GridCell cell{head(lane), 0, lengthOf(head(lane).kind), std::exchange(m_missing, std::nullopt)};
    cell.start = std::max(readyTime(cell.action, m_schedule.stages, m_ends), row.empty() ? 0 : row.back().end());
    if (cell.missing) cell.start = std::max(cell.start, latestEnd());
    m_ends.of(cell.action) = cell.end();
    row.push_back(cell);
  }

  std::int64_t latestEnd() const {
    std::int64_t latest = 0;
    for (const auto& row : m_grid.lanes)
      if (!row.empty()) latest = std::max(latest, row.back().end());
    return latest;
  }

  std::optional<std::size_t> firstStuck() const {
    for (std::size_t lane = 0; lane < m_schedule.lanes.size(); ++lane)
      if (!ended(lane)) return lane;
    return std::nullopt;
  }

  Action missingAt(std::size_t lane) const {
    return missingFor(head(lane), m_schedule.stages, m_ends).value_or(head(lane));
  }

  /// Follows "waits for a result of" from lane to lane until it closes, and says which lane continues: the one whose
  /// action waits for its own lane, or for nobody at all, else the first of the circle.
  std::size_t breakCircle(std::size_t lane) {
    std::vector<char> seen(m_schedule.lanes.size(), 0);
    while (!seen[lane]) {
      seen[lane] = 1;
      const int holder = m_lane_of[m_ends.indexOf(missingAt(lane))];
      if (holder < 0 || static_cast<std::size_t>(holder) == lane) break;
      lane = static_cast<std::size_t>(holder);
    }
    m_missing = missingAt(lane);
    return lane;
  }

  void sumUp() {
    m_grid.columns = latestEnd();
    for (const auto& row : m_grid.lanes) {
      m_grid.lanes_with_work += row.empty() ? 0 : 1;
      for (const GridCell& cell : row) {
        m_grid.busy += cell.length;
        m_grid.broken += cell.missing ? 1 : 0;
      }
    }
  }

  const Schedule& m_schedule;
  ActionTimes m_ends;
  std::vector<int> m_lane_of;  ///< by ActionTimes' index; -1: nobody computes it
  std::optional<Action> m_missing;
  ScheduleGrid m_grid;
};

}  // namespace

double ScheduleGrid::idleShare() const {
  const std::int64_t all = columns * lanes_with_work;
  return all > 0 ? 1 - static_cast<double>(busy) / static_cast<double>(all) : 0;
}

bool hasGrid(const Schedule& schedule) {
  const auto known = [&](const Action& action) {
    return action.kind != ActionKind::Update && action.stage.value >= 0 && action.stage.value < schedule.stages &&
           action.micro_batch.value >= 0 && action.micro_batch.value < schedule.micro_batches;
  };
  return std::ranges::all_of(schedule.lanes, [&](const auto& row) { return std::ranges::all_of(row, known); });
}

ScheduleGrid layOutSchedule(const Schedule& schedule) { return GridRun(schedule).run(); }

Schedule withActionMoved(Schedule schedule, std::size_t lane, std::size_t from, std::size_t to) {
  if (lane >= schedule.lanes.size()) return schedule;
  auto& row = schedule.lanes[lane];
  if (from >= row.size() || to >= row.size()) return schedule;
  const auto at = [&row](std::size_t index) { return row.begin() + static_cast<std::ptrdiff_t>(index); };
  if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
  if (to < from) std::rotate(at(to), at(from), at(from + 1));
  return schedule;
}

Schedule withBackwardSplitOrJoined(Schedule schedule, std::size_t lane, std::size_t index) {
  if (lane >= schedule.lanes.size() || index >= schedule.lanes[lane].size()) return schedule;
  auto& row = schedule.lanes[lane];
  const Action chosen = row[index];
  if (chosen.kind == ActionKind::Backward) {
    row[index].kind = ActionKind::BackwardInput;
    row.insert(row.begin() + static_cast<std::ptrdiff_t>(index) + 1,
               {chosen.stage, ActionKind::BackwardWeight, chosen.micro_batch});
  } else if (chosen.kind != ActionKind::Forward) {
    std::erase(row, Action{chosen.stage, ActionKind::BackwardWeight, chosen.micro_batch});
    std::replace(row.begin(), row.end(), Action{chosen.stage, ActionKind::BackwardInput, chosen.micro_batch},
                 Action{chosen.stage, ActionKind::Backward, chosen.micro_batch});
  }
  return schedule;
}

}  // namespace lanelab
