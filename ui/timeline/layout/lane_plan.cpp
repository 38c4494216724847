// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/lane_plan.h"

#include <numeric>

#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr double kLanePadding = 1.5 * look::kGrid;
constexpr double kThinPadding = 1 * look::kGrid;
constexpr double kTitleLine = 5 * look::kGrid;
constexpr double kThinRow = 3 * look::kGrid;
constexpr double kBand = 5 * look::kGrid;
constexpr double kCounterRow = 7 * look::kGrid;

PlannedRow plannedRow(const TimelineData& data, std::size_t index) {
  const Row& row = data.rows()[index];
  switch (row.kind) {
    case Track::Kind::Compute: return {index, false, 0, row.depth == 0 ? 1 : 0.5};
    case Track::Kind::Transfer: return {index, false, 2 * look::kGrid, 0};
    default: return {index, false, 4 * look::kGrid, 0};
  }
}

bool isShown(const TimelineData& data, const RowArrangement& arrangement, std::size_t index) {
  if (data.rows()[index].track == Row::kNoTrack) return data.computes();
  return arrangement.shows(data.rowKind(index));
}

/// Where the rows of each lane begin in TimelineData::rows(), and where the last one's end.
std::vector<std::size_t> firstRows(const TimelineData& data) {
  std::vector<std::size_t> first(data.trace().lanes.size() + 1, data.rows().size());
  for (std::size_t row = data.rows().size(); row-- > 0;) first[static_cast<std::size_t>(data.rows()[row].lane)] = row;
  for (std::size_t lane = data.trace().lanes.size(); lane-- > 0;) first[lane] = std::min(first[lane], first[lane + 1]);
  return first;
}

void addCounters(const TimelineData& data, const RowArrangement& arrangement, LanePlan& lane) {
  if (lane.collapsed || !arrangement.shows(RowKind::Counters)) return;
  for (std::size_t i = 0; i < data.counters().size(); ++i) {
    if (data.counters()[i].lane() == lane.lane) lane.rows.push_back({i, true, kCounterRow, 0});
  }
}

void collapse(LanePlan& lane) {
  if (lane.rows.empty()) return;
  lane.rows.resize(1);
  lane.rows.front().fixed = kThinRow;
  lane.rows.front().share = 0;
}

LanePlan planLane(const TimelineData& data, const RowArrangement& arrangement, int number, std::size_t first,
                  std::size_t last) {
  LanePlan lane{
      number, arrangement.isCollapsed(number), arrangement.isPinned(number), data.replicaOf(number), 0, kLanePadding, 0,
      {}};
  for (std::size_t row = first; row < last; ++row) {
    if (isShown(data, arrangement, row)) lane.rows.push_back(plannedRow(data, row));
  }
  const bool acts = first < last && data.computes();
  addCounters(data, arrangement, lane);
  if (lane.collapsed) {
    collapse(lane);
    lane.padding = kThinPadding;
  } else if (!acts && !lane.rows.empty()) {
    lane.title = kTitleLine;
    lane.padding = kThinPadding;
  }
  return lane;
}

}  // namespace

double LanePlan::height(double compute) const {
  double height = band + 2 * padding + title + kRowGap * static_cast<double>(rows.empty() ? 0 : rows.size() - 1);
  for (const PlannedRow& row : rows) height += row.height(compute);
  return height;
}

double heightOf(const std::vector<LanePlan>& lanes, double compute) {
  return std::accumulate(lanes.begin(), lanes.end(), 0.0,
                         [compute](double sum, const LanePlan& lane) { return sum + lane.height(compute); });
}

std::vector<LanePlan> planLanes(const TimelineData& data, const RowArrangement& arrangement) {
  std::vector<LanePlan> lanes;
  const int count = static_cast<int>(data.trace().lanes.size());
  const std::vector<std::size_t> first = firstRows(data);
  for (const int number : arrangement.order(count)) {
    const auto lane = static_cast<std::size_t>(number);
    LanePlan plan = planLane(data, arrangement, number, first[lane], first[lane + 1]);
    if (plan.rows.empty()) continue;
    const bool goes_on = !lanes.empty() && lanes.back().replica == plan.replica && lanes.back().pinned == plan.pinned;
    if (plan.replica >= 0 && !goes_on) plan.band = kBand;
    lanes.push_back(std::move(plan));
  }
  LanePlan whole{-1, false, false, -1, 0, kThinPadding, 0, {}};
  addCounters(data, arrangement, whole);
  if (!whole.rows.empty()) lanes.push_back(std::move(whole));
  return lanes;
}

}  // namespace lanelab
