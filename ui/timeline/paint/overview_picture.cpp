// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/overview_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/look/name_colors.h"
#include "ui/timeline/layout/level_of_detail.h"

namespace lanelab {
namespace {

constexpr int kLowestLane = 2;        ///< pixels
constexpr int kSeparatedLane = 4;     ///< from here on the last pixel of a lane is free
constexpr double kHardlyBusy = 0.15;  ///< of what was hardly busy, from the surface to its colour
constexpr double kAreaColor = 0.55;   ///< from the surface to the text

/// What a lane did within a pixel column.
struct OverviewCell {
  double busy = 0;     ///< share of its time; above 1 where several rows were busy
  double longest = 0;  ///< share of what gave the colour
  ColorKind kind;
};
using OverviewLane = std::vector<OverviewCell>;

void addColumns(OverviewLane& lane, const RowDetail& detail, const Row& row, const Track& track) {
  const auto add = [&lane](int column, double share, ColorKind kind) {
    if (column < 0 || column >= static_cast<int>(lane.size())) return;
    OverviewCell& cell = lane[static_cast<std::size_t>(column)];
    cell.busy += share;
    if (share <= cell.longest) return;
    cell.longest = share;
    cell.kind = kind;
  };
  for (const Column& column : detail.columns)
    for (int x = column.x0; x < column.x1; ++x) add(x, column.busy, column.kind);
  for (const Bar& bar : detail.bars) {
    const ColorKind kind = ColorKind::of(track.spans[row.spans[bar.position]]);
    const double x0 = std::max(bar.x0, 0.0), x1 = std::min(bar.x1, static_cast<double>(lane.size()));
    for (int x = static_cast<int>(x0); x < x1; ++x) add(x, std::min(x1, x + 1.0) - std::max(x0, x + 0.0), kind);
  }
}

/// Of our own traces the actions; of others the outermost spans of streams, or of threads where a lane has no stream.
Track::Kind shownKind(const TimelineData& data, int lane) {
  if (data.computes()) return Track::Kind::Compute;
  const bool has_streams = std::ranges::any_of(
      data.rows(), [lane](const Row& row) { return row.lane == lane && row.kind == Track::Kind::Stream; });
  return has_streams ? Track::Kind::Stream : Track::Kind::Host;
}

/// Those in use, in the order of the trace.
std::vector<OverviewLane> overviewLanes(const TimelineData& data, const TimeScale& scale) {
  std::vector<OverviewLane> lanes;
  const std::vector<bool> used = lanesInUse(data.trace());
  for (int number = 0; number < static_cast<int>(used.size()); ++number) {
    if (!used[static_cast<std::size_t>(number)]) continue;
    OverviewLane lane(static_cast<std::size_t>(scale.width));
    const Track::Kind kind = shownKind(data, number);
    for (const Row& row : data.rows()) {
      if (row.lane != number || row.kind != kind || row.depth != 0 || row.track == Row::kNoTrack) continue;
      addColumns(lane, levelOfDetail(row, data.track(row), scale), row, data.track(row));
    }
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

QColor overviewColor(const TimelineData& data, const look::Palette& palette, ColorKind kind) {
  if (!data.computes() && kind.name != kAnyName)
    return look::nameColors(palette)[look::nameColorOf(data.trace().names[kind.name])];
  return palette.span(kind.category, kind.phase);
}

void fillColumn(QImage& picture, int x, int top, int bottom, QRgb color) {
  for (int y = top; y < bottom; ++y) reinterpret_cast<QRgb*>(picture.scanLine(y))[x] = color;
}

void paintLines(QImage& picture, const TimelineData& data, const std::vector<OverviewLane>& lanes,
                const look::Palette& palette) {
  const int count = static_cast<int>(lanes.size());
  for (int lane = 0; lane < count; ++lane) {
    const int top = picture.height() * lane / count, next = picture.height() * (lane + 1) / count;
    const int bottom = next - top >= kSeparatedLane ? next - 1 : next;
    for (int x = 0; x < picture.width(); ++x) {
      const OverviewCell& cell = lanes[static_cast<std::size_t>(lane)][static_cast<std::size_t>(x)];
      if (cell.busy <= 0) continue;
      const double share = kHardlyBusy + (1 - kHardlyBusy) * std::min(cell.busy, 1.0);
      fillColumn(picture, x, top, bottom,
                 look::mix(palette.surface, overviewColor(data, palette, cell.kind), share).rgb());
    }
  }
}

void paintArea(QImage& picture, const std::vector<OverviewLane>& lanes, const look::Palette& palette) {
  const QRgb color = look::mix(palette.surface, palette.text, kAreaColor).rgb();
  for (int x = 0; x < picture.width(); ++x) {
    double busy = 0;
    for (const OverviewLane& lane : lanes) busy += std::min(lane[static_cast<std::size_t>(x)].busy, 1.0);
    const auto high = std::lround(picture.height() * busy / static_cast<double>(lanes.size()));
    fillColumn(picture, x, picture.height() - static_cast<int>(high), picture.height(), color);
  }
}

}  // namespace

QImage overviewPicture(const TimelineData& data, TimeRange range, QSize pixels, const look::Palette& palette) {
  QImage picture(pixels, QImage::Format_RGB32);
  picture.fill(palette.surface);
  if (pixels.isEmpty() || range.empty()) return picture;
  const std::vector<OverviewLane> lanes = overviewLanes(data, {range, 0, static_cast<double>(pixels.width())});
  if (lanes.empty()) return picture;
  if (picture.height() >= kLowestLane * static_cast<int>(lanes.size()))
    paintLines(picture, data, lanes, palette);
  else
    paintArea(picture, lanes, palette);
  return picture;
}

}  // namespace lanelab
