#include "ui/timeline/layout.h"

#include <algorithm>
#include <cmath>

#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr double kHeaderWidth = 40 * look::kGrid;
constexpr double kRulerHeight = 6 * look::kGrid;
constexpr double kStepsHeight = 5 * look::kGrid;
constexpr double kLegendHeight = 7 * look::kGrid;
constexpr double kRightMargin = 3 * look::kGrid;
constexpr double kLanePadding = 1.5 * look::kGrid;
constexpr double kRowGap = 2;
constexpr double kLeastCompute = 4 * look::kGrid;
constexpr double kNaturalCompute = 9 * look::kGrid;
constexpr double kMostCompute = 12 * look::kGrid;

bool shown(const Row& row, bool details) { return details || !isDetail(row); }

double heightOf(const Row& row, double compute) {
  switch (row.kind) {
    case Track::Kind::Compute: return row.depth == 0 ? compute : compute / 2;
    case Track::Kind::Stream: return 4 * look::kGrid;
    case Track::Kind::Detail: return 4 * look::kGrid;
    case Track::Kind::Transfer: return 2 * look::kGrid;
    case Track::Kind::Host: return 4 * look::kGrid;
    case Track::Kind::Step: break;
  }
  return 0;
}

/// The height of all lanes when compute rows are `compute` high.
double lanesHeight(const TimelineData& data, bool details, double compute) {
  double height = static_cast<double>(data.trace().lanes.size()) * 2 * kLanePadding;
  int last_lane = -1;
  for (const Row& row : data.rows()) {
    if (!shown(row, details)) continue;
    height += heightOf(row, compute) + (row.lane == last_lane ? kRowGap : 0);
    last_lane = row.lane;
  }
  return height;
}

double computeHeight(const TimelineData& data, bool details, double available) {
  const double rest = lanesHeight(data, details, 0);
  const double compute_rows = std::max(lanesHeight(data, details, 1) - rest, 1.0);
  return std::clamp(std::floor((available - rest) / compute_rows + 1e-6), kLeastCompute, kMostCompute);
}

void placeRows(const TimelineData& data, bool details, double compute, double top, TimelineLayout& layout) {
  const double left = layout.body.left();
  double y = top;
  std::size_t row = 0;
  for (int lane = 0; lane < static_cast<int>(data.trace().lanes.size()); ++lane) {
    const double lane_top = y;
    y += kLanePadding;
    bool first = true;
    for (; row < data.rows().size() && data.rows()[row].lane == lane; ++row) {
      if (!shown(data.rows()[row], details)) continue;
      if (!first) y += kRowGap;
      first = false;
      const double height = heightOf(data.rows()[row], compute);
      layout.rows.push_back({row, QRectF(left, y, layout.body.width(), height)});
      y += height;
    }
    y += kLanePadding;
    layout.lanes.push_back({lane, QRectF(layout.area.left(), lane_top, layout.area.width(), y - lane_top)});
  }
}

}  // namespace

TimelineLayout layOut(const TimelineData& data, const QRectF& area, bool details, double scroll) {
  TimelineLayout layout;
  layout.area = area;
  const double left = area.left() + kHeaderWidth;
  const double width = std::max(area.width() - kHeaderWidth - kRightMargin, 0.0);
  layout.ruler = QRectF(left, area.top(), width, kRulerHeight);
  layout.steps = QRectF(left, layout.ruler.bottom(), width, kStepsHeight);
  layout.legend = QRectF(area.left(), area.bottom() - kLegendHeight, area.width(), kLegendHeight);
  layout.body = QRectF(left, layout.steps.bottom(), width, std::max(layout.legend.top() - layout.steps.bottom(), 0.0));
  layout.headers = QRectF(area.left(), layout.body.top(), kHeaderWidth, layout.body.height());
  const double compute = computeHeight(data, details, layout.body.height());
  layout.content_height = lanesHeight(data, details, compute);
  placeRows(data, details, compute, layout.body.top() - scroll, layout);
  return layout;
}

double naturalHeight(const TimelineData& data, bool details) {
  return kRulerHeight + kStepsHeight + lanesHeight(data, details, kNaturalCompute) + kLegendHeight;
}

std::optional<std::size_t> TimelineLayout::rowAt(double y) const {
  if (y < body.top() || y >= body.bottom()) return {};
  for (const RowBox& box : rows) {
    if (y >= box.rect.top() - 1 && y < box.rect.bottom() + 1) return box.row;
  }
  return {};
}

const RowBox* TimelineLayout::boxOf(std::size_t row) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [row](const RowBox& box) { return box.row == row; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace lanelab
