// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/look/theme.h"
#include "ui/timeline/layout/legend.h"

namespace lanelab {
namespace {

constexpr double kHeaderWidth = look::kLaneColumn;
constexpr double kRulerHeight = 6 * look::kGrid;
constexpr double kStepsHeight = 5 * look::kGrid;
constexpr double kStepsStrip = 4 * look::kGrid;  ///< each of two
constexpr double kWide = 10'000;                 ///< a legend of one line
constexpr double kRightMargin = 3 * look::kGrid;
constexpr double kLeastCompute = 5 * look::kGrid;    ///< a label and a cause have room in it
constexpr double kTightCompute = 2.5 * look::kGrid;  ///< a bar's colour can be seen
constexpr double kNaturalCompute = 9 * look::kGrid;
constexpr double kMostCompute = 20 * look::kGrid;
constexpr double kMostPinned = 2.0 / 3;  ///< of the body's height: the other lanes must stay in sight
constexpr double kMarkWidth = 4 * look::kGrid;
constexpr double kRowGap = 2;
constexpr double kLanePadding = 1.5 * look::kGrid;
constexpr double kThinPadding = 1 * look::kGrid;
constexpr double kTightPadding = 2;
constexpr double kTightTransfer = 1 * look::kGrid;
constexpr double kTitleLine = 5 * look::kGrid;
constexpr double kThinRow = 3 * look::kGrid;
constexpr double kBand = 5 * look::kGrid;
constexpr double kCounterRow = 7 * look::kGrid;
constexpr double kPredictedRow = 2.5 * look::kGrid;

/// Rows of actions share what height there is; the others have their own.
struct PlannedRow {
  enum class What { Row, Counter, Predicted };
  std::size_t place = 0;  ///< in TimelineData::rows(), or counters()
  What what = What::Row;
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

  double height(double compute) const {
    double height = band + 2 * padding + title + kRowGap * static_cast<double>(rows.empty() ? 0 : rows.size() - 1);
    for (const PlannedRow& row : rows) height += row.height(compute);
    return height;
  }
};

PlannedRow plannedRow(const TimelineData& data, std::size_t index) {
  const Row& row = data.rows()[index];
  switch (row.kind) {
    case Track::Kind::Compute: return {index, PlannedRow::What::Row, 0, row.depth == 0 ? 1 : 0.5};
    case Track::Kind::Transfer: return {index, PlannedRow::What::Row, 2 * look::kGrid, 0};
    default: return {index, PlannedRow::What::Row, 4 * look::kGrid, 0};
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
    if (data.counters()[i].lane() == lane.lane) lane.rows.push_back({i, PlannedRow::What::Counter, kCounterRow, 0});
  }
}

void collapse(LanePlan& lane) {
  if (lane.rows.empty()) return;
  lane.rows.resize(1);
  lane.rows.front().fixed = kThinRow;
  lane.rows.front().share = 0;
}

bool showsPredicted(const TimelineData& data, const RowArrangement& arrangement, int lane) {
  return arrangement.shows(RowKind::Predicted) && data.prediction() && !data.prediction()->ofLane(lane).empty();
}

LanePlan planLane(const TimelineData& data, const RowArrangement& arrangement, int number, std::size_t first,
                  std::size_t last) {
  LanePlan lane{
      number, arrangement.isCollapsed(number), arrangement.isPinned(number), data.replicaOf(number), 0, kLanePadding, 0,
      {}};
  for (std::size_t row = first; row < last; ++row) {
    if (!isShown(data, arrangement, row)) continue;
    lane.rows.push_back(plannedRow(data, row));
    if (row == first && showsPredicted(data, arrangement, number))
      lane.rows.push_back({0, PlannedRow::What::Predicted, kPredictedRow, 0});
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

/// Names of steps that overlap stand in two strips.
double stepsHeight(const TimelineData& data) { return data.stepsOverlap() ? 2 * kStepsStrip : kStepsHeight; }

double heightOf(const std::vector<LanePlan>& lanes, double compute) {
  return std::accumulate(lanes.begin(), lanes.end(), 0.0,
                         [compute](double sum, const LanePlan& lane) { return sum + lane.height(compute); });
}

/// Which lanes and rows are shown, from top to bottom, and how high, without any place. Lanes without anything to show
/// are left out; of our own traces each lane shows its actions. A collapsed lane shows its first row, thin.
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

double computeHeight(const std::vector<LanePlan>& lanes, double available, double least) {
  const double rest = heightOf(lanes, 0);
  const double compute_rows = std::max(heightOf(lanes, 1) - rest, 1.0);
  return std::clamp(std::floor((available - rest) / compute_rows + 1e-6), least, kMostCompute);
}

/// The same lanes as low as they can be.
std::vector<LanePlan> tightened(const TimelineData& data, std::vector<LanePlan> lanes) {
  for (LanePlan& lane : lanes) {
    lane.padding = std::min(lane.padding, kTightPadding);
    for (PlannedRow& row : lane.rows) {
      const bool transfers = row.what == PlannedRow::What::Row && data.rows()[row.place].kind == Track::Kind::Transfer;
      if (transfers) row.fixed = kTightTransfer;
    }
  }
  return lanes;
}

/// Lanes go before labels: where readable rows would have to be scrolled and tight ones not, they are tight.
struct FittedLanes {
  std::vector<LanePlan> lanes;
  double compute = 0;
};
FittedLanes fitted(const TimelineData& data, std::vector<LanePlan> lanes, double available) {
  if (heightOf(lanes, kLeastCompute) > available) {
    std::vector<LanePlan> tight = tightened(data, lanes);
    if (heightOf(tight, kTightCompute) <= available) {
      const double compute = std::min(computeHeight(tight, available, kTightCompute), kLeastCompute);
      return {std::move(tight), compute};
    }
  }
  const double compute = computeHeight(lanes, available, kLeastCompute);
  return {std::move(lanes), compute};
}

void placeBand(const LanePlan& lane, double top, TimelineLayout& layout) {
  if (lane.replica < 0) return;
  if (lane.band > 0)
    layout.bands.push_back(
        {lane.replica, QRectF(layout.area.left(), top, layout.area.width(), lane.band), {}, true, lane.pinned});
  layout.bands.back().lanes.push_back(lane.lane);
  layout.bands.back().collapsed = layout.bands.back().collapsed && lane.collapsed;
}

double placeLane(const LanePlan& lane, double compute, double top, TimelineLayout& layout) {
  const QRectF& body = layout.body;
  placeBand(lane, top, layout);
  const double bottom = top + lane.height(compute);
  top += lane.band;
  double y = top + lane.padding + lane.title;
  for (const PlannedRow& row : lane.rows) {
    const double height = row.height(compute);
    const QRectF rect(body.left(), y, body.width(), height);
    switch (row.what) {
      case PlannedRow::What::Row: layout.rows.push_back({row.place, rect, lane.pinned}); break;
      case PlannedRow::What::Counter: layout.counters.push_back({row.place, rect, lane.pinned}); break;
      case PlannedRow::What::Predicted: layout.predicted.push_back({lane.lane, rect, lane.pinned}); break;
    }
    y += height + kRowGap;
  }
  const double title = lane.title > 0 ? lane.title : lane.rows.empty() ? 0 : lane.rows.front().height(compute);
  layout.lanes.push_back({lane.lane, QRectF(layout.area.left(), top, layout.area.width(), bottom - top),
                          QRectF(layout.headers.left(), top, layout.headers.width(), title + 2 * lane.padding),
                          lane.collapsed, lane.pinned});
  return bottom;
}

void placeLanes(const std::vector<LanePlan>& lanes, double compute, double scroll, TimelineLayout& layout) {
  double pinned = 0;
  for (const LanePlan& lane : lanes) pinned += lane.pinned ? lane.height(compute) : 0;
  layout.pinned_height = pinned <= kMostPinned * layout.body.height() ? pinned : 0;
  double y = layout.body.top() - (layout.pinned_height > 0 ? 0 : scroll);
  bool above = layout.pinned_height > 0;
  for (const LanePlan& lane : lanes) {
    if (above && !lane.pinned) y -= scroll;
    above = above && lane.pinned;
    y = placeLane(lane, compute, y, layout);
  }
}

}  // namespace

TimelineLayout layOut(const TimelineData& data, const QRectF& area, const RowArrangement& arrangement, double scroll) {
  TimelineLayout layout;
  layout.area = area;
  layout.shows_idle = arrangement.shows(RowKind::Idle);
  const double left = area.left() + kHeaderWidth;
  const double width = std::max(area.width() - kHeaderWidth - kRightMargin, 0.0);
  layout.ruler = QRectF(left, area.top(), width, kRulerHeight);
  layout.steps = QRectF(left, layout.ruler.bottom(), width, stepsHeight(data));
  const double legend = legendHeight(legendEntries(data, arrangement), area);
  layout.legend = QRectF(area.left(), area.bottom() - legend, area.width(), legend);
  layout.body = QRectF(left, layout.steps.bottom(), width, std::max(layout.legend.top() - layout.steps.bottom(), 0.0));
  layout.headers = QRectF(area.left(), layout.body.top(), kHeaderWidth, layout.body.height());
  const auto [lanes, compute] = fitted(data, planLanes(data, arrangement), layout.body.height());
  layout.content_height = heightOf(lanes, compute);
  placeLanes(lanes, compute, scroll, layout);
  return layout;
}

namespace {
double heightWith(const TimelineData& data, const RowArrangement& arrangement, double of_lanes) {
  const QRectF wide(0, 0, kWide, kWide);
  return kRulerHeight + stepsHeight(data) + of_lanes + legendHeight(legendEntries(data, arrangement), wide);
}
}  // namespace

double leastHeight(const TimelineData& data, const RowArrangement& arrangement) {
  return heightWith(data, arrangement, heightOf(tightened(data, planLanes(data, arrangement)), kTightCompute));
}

double readableHeight(const TimelineData& data, const RowArrangement& arrangement) {
  return heightWith(data, arrangement, heightOf(planLanes(data, arrangement), kLeastCompute));
}

double naturalHeight(const TimelineData& data, const RowArrangement& arrangement) {
  return heightWith(data, arrangement, heightOf(planLanes(data, arrangement), kNaturalCompute));
}

QRectF triangleOf(const LaneBox& lane) {
  return QRectF(lane.title.left(), lane.title.top(), kMarkWidth, lane.title.height());
}
QRectF pinOf(const LaneBox& lane) {
  return QRectF(lane.title.right() - kMarkWidth, lane.title.top(), kMarkWidth, lane.title.height());
}

QRectF TimelineLayout::partOf(bool pinned) const {
  if (pinned_height <= 0) return body;
  return pinned ? QRectF(body.left(), body.top(), body.width(), pinned_height) : body.adjusted(0, pinned_height, 0, 0);
}

std::vector<TimelineLayout> TimelineLayout::parts() const {
  if (pinned_height <= 0) return {*this};
  std::vector<TimelineLayout> parts;
  for (const bool pinned : {false, true}) {
    TimelineLayout part = *this;
    part.body = partOf(pinned);
    part.headers = QRectF(headers.left(), part.body.top(), headers.width(), part.body.height());
    const auto elsewhere = [pinned](const auto& box) { return box.pinned != pinned; };
    std::erase_if(part.lanes, elsewhere);
    std::erase_if(part.rows, elsewhere);
    std::erase_if(part.counters, elsewhere);
    std::erase_if(part.predicted, elsewhere);
    std::erase_if(part.bands, elsewhere);
    part.pinned_height = 0;
    parts.push_back(std::move(part));
  }
  return parts;
}

template <class Box>
const Box* TimelineLayout::boxAt(const std::vector<Box>& boxes, double y, double margin) const {
  if (y < body.top() || y >= body.bottom()) return nullptr;
  const bool among_pinned = y < body.top() + pinned_height;
  for (const Box& box : boxes) {
    const bool in_part = pinned_height <= 0 || box.pinned == among_pinned;
    if (in_part && y >= box.rect.top() - margin && y < box.rect.bottom() + margin) return &box;
  }
  return nullptr;
}

std::optional<std::size_t> TimelineLayout::rowAt(double y) const {
  const RowBox* box = boxAt(rows, y, 1);
  return box ? std::optional(box->row) : std::nullopt;
}

const LaneBox* TimelineLayout::laneAt(double y) const { return boxAt(lanes, y, 0); }
const CounterBox* TimelineLayout::counterAt(double y) const { return boxAt(counters, y, 0); }
const ReplicaBand* TimelineLayout::bandAt(double y) const { return boxAt(bands, y, 0); }

const LaneBox* TimelineLayout::boxOfLane(int lane) const {
  const auto found = std::ranges::find(lanes, lane, &LaneBox::lane);
  return found == lanes.end() ? nullptr : &*found;
}

const RowBox* TimelineLayout::boxOf(std::size_t row) const {
  const auto found = std::ranges::find(rows, row, &RowBox::row);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace lanelab
