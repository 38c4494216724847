// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace lanelab {
namespace {

constexpr qreal kChipGap = 2;
constexpr qreal kGrip = 14;
constexpr qreal kNarrowest = 24;
constexpr qreal kReach = 5;

std::int64_t costOfBlock(const BlockSpec& block, ChipCost by, int samples) {
  switch (by) {
    case ChipCost::Macs: return block.macs;
    case ChipCost::Parameters: return block.parameters;
    case ChipCost::Memory: return block.parameter_bytes + block.activation_bytes * samples;
  }
  return 0;
}

qreal rowHeight(const BoardInput& input) {
  const qreal lanes = std::max(1, input.lanes);
  const qreal free = input.view.height() - 2 * input.sizes.margin - (lanes - 1) * input.sizes.gap;
  return std::clamp(std::floor(free / lanes), input.sizes.minimum_row, input.sizes.maximum_row);
}

std::vector<BoardGeometry::Chip> layoutChips(const BoardInput& input, qreal row_height) {
  const std::vector<std::int64_t> costs = blockCosts(input.model, input.by, input.samples);
  const double total =
      std::max<double>(1, static_cast<double>(std::accumulate(costs.begin(), costs.end(), std::int64_t{0})));
  std::vector<qreal> minima = input.sizes.minimum_chips;
  minima.resize(costs.size(), kNarrowest);
  const std::vector<qreal> widths = chipWidths(costs, input.view.width() - 2 * input.sizes.margin, minima);
  std::vector<BoardGeometry::Chip> chips;
  qreal x = input.sizes.margin;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const LaneId lane = input.placement.lane_of_block[i];
    const qreal y = input.sizes.margin + lane.value * (row_height + input.sizes.gap);
    chips.push_back({BlockId(i), lane, QRectF(x + kChipGap / 2, y, widths[i] - kChipGap, row_height),
                     static_cast<double>(costs[i]) / total});
    x += widths[i];
  }
  return chips;
}

void repeatRow(const BoardGeometry::Row& first, const std::vector<BoardGeometry::Chip>& chips,
               BoardGeometry::Row& row) {
  row.share = first.share;
  row.blocks = first.blocks;
  for (const BoardGeometry::Chip& chip : chips)
    if (chip.lane == first.lane) row.copies.push_back(chip.rect.translated(0, row.band.top() - first.band.top()));
}

std::vector<BoardGeometry::Row> layoutRows(const BoardInput& input, qreal row_height, qreal width,
                                           const std::vector<BoardGeometry::Chip>& chips) {
  std::vector<BoardGeometry::Row> rows;
  for (int lane = 0; lane < input.lanes; ++lane) {
    rows.push_back(
        {LaneId(lane), QRectF(0, input.sizes.margin + lane * (row_height + input.sizes.gap), width, row_height)});
  }
  for (const BoardGeometry::Chip& chip : chips) {
    if (chip.lane.index() >= rows.size()) continue;
    rows[chip.lane.index()].share += chip.share;
    ++rows[chip.lane.index()].blocks;
  }
  for (std::size_t lane = 0; lane < std::min(rows.size(), input.repeated_lanes.size()); ++lane) {
    if (input.repeated_lanes[lane] >= 0 && static_cast<std::size_t>(input.repeated_lanes[lane]) < rows.size())
      repeatRow(rows[static_cast<std::size_t>(input.repeated_lanes[lane])], chips, rows[lane]);
  }
  return rows;
}

BoardGeometry::Cut layoutCut(const BoardInput& input, const BoardGeometry::Chip& before,
                             const BoardGeometry::Chip& after) {
  const bool down = after.lane > before.lane;
  const qreal x = (before.rect.right() + after.rect.left()) / 2;
  const QLineF line = down ? QLineF(x, before.rect.bottom(), x, after.rect.top())
                           : QLineF(x, before.rect.top(), x, after.rect.bottom());
  const qreal middle = line.y1() + (down ? 1 : -1) * input.sizes.gap / 2;
  const QRectF handle(x - input.sizes.label_width / 2, middle - input.sizes.label_height / 2, input.sizes.label_width,
                      input.sizes.label_height);
  const std::int64_t bytes = input.model.blocks[before.block.index()].output_bytes * input.samples;
  return {after.block, before.lane, after.lane, line, handle, true, bytes};
}

std::vector<BoardGeometry::Grip> layoutGrips(const BoardGeometry& geometry) {
  std::vector<BoardGeometry::Grip> grips;
  if (geometry.chips.size() < 2) return grips;
  const qreal right = geometry.chips.back().rect.right();
  for (const BoardGeometry::Row& row : geometry.rows) {
    if (row.blocks > 0) continue;
    grips.push_back({row.lane, QRectF(right - kGrip, row.band.top(), kGrip, row.band.height())});
  }
  return grips;
}

/// Labels keep inside the scene, and where two would touch in one gap the later one becomes a grip on its own line.
void settleLabels(std::vector<BoardGeometry::Cut>& cuts, qreal width) {
  std::map<qreal, qreal> end_of_gap;
  for (BoardGeometry::Cut& cut : cuts) {
    const qreal x = cut.line.x1();
    cut.handle.moveLeft(std::clamp(cut.handle.left(), qreal{0}, std::max(qreal{0}, width - cut.handle.width())));
    const auto last = end_of_gap.find(cut.handle.top());
    if (last != end_of_gap.end() && cut.handle.left() < last->second) {
      cut.labelled = false;
      cut.handle = QRectF(x - kGrip / 2, cut.handle.center().y() - kGrip / 2, kGrip, kGrip);
      continue;
    }
    end_of_gap[cut.handle.top()] = cut.handle.right() + kGrip / 2;
  }
}

}  // namespace

std::vector<std::int64_t> blockCosts(const ModelSpec& model, ChipCost by, int samples) {
  std::vector<std::int64_t> costs;
  for (const BlockSpec& block : model.blocks) costs.push_back(costOfBlock(block, by, samples));
  return costs;
}

std::vector<qreal> chipWidths(const std::vector<std::int64_t>& costs, qreal available,
                              const std::vector<qreal>& minima) {
  std::vector<qreal> widths = minima;
  std::vector<bool> held(costs.size(), false);
  qreal room = available;
  for (bool again = true; again;) {
    again = false;
    double open = 0;
    for (std::size_t i = 0; i < costs.size(); ++i)
      open += held[i] ? 0 : static_cast<double>(std::max<std::int64_t>(costs[i], 1));
    for (std::size_t i = 0; i < costs.size(); ++i) {
      if (held[i]) continue;
      widths[i] = room * static_cast<double>(std::max<std::int64_t>(costs[i], 1)) / open;
      if (widths[i] >= minima[i]) continue;
      widths[i] = minima[i];
      held[i] = true;
      room -= minima[i];
      again = true;
      break;
    }
  }
  return widths;
}

BoardGeometry layoutBoard(const BoardInput& input) {
  BoardGeometry geometry;
  const qreal row_height = rowHeight(input);
  geometry.chips = layoutChips(input, row_height);
  const qreal right = geometry.chips.empty() ? 0 : geometry.chips.back().rect.right() + kChipGap / 2;
  const qreal needed = right + input.sizes.margin;
  const qreal width = needed <= input.view.width() + 0.5 ? input.view.width() : needed;
  geometry.rows = layoutRows(input, row_height, width, geometry.chips);
  for (std::size_t i = 1; i < geometry.chips.size(); ++i) {
    if (geometry.chips[i].lane == geometry.chips[i - 1].lane) continue;
    geometry.cuts.push_back(layoutCut(input, geometry.chips[i - 1], geometry.chips[i]));
  }
  settleLabels(geometry.cuts, width);
  if (input.grips) geometry.grips = layoutGrips(geometry);
  const qreal height = geometry.rows.empty() ? 0 : geometry.rows.back().band.bottom() + input.sizes.margin;
  geometry.size = QSizeF(width, height);
  return geometry;
}

std::optional<BlockId> chipAt(const BoardGeometry& geometry, QPointF point) {
  for (const BoardGeometry::Chip& chip : geometry.chips) {
    if (chip.rect.adjusted(-kChipGap / 2, 0, kChipGap / 2, 0).contains(point)) return chip.block;
  }
  return std::nullopt;
}

std::optional<std::size_t> cutAt(const BoardGeometry& geometry, QPointF point) {
  for (std::size_t i = 0; i < geometry.cuts.size(); ++i) {
    if (geometry.cuts[i].handle.contains(point)) return i;
  }
  for (std::size_t i = 0; i < geometry.cuts.size(); ++i) {
    const QLineF& line = geometry.cuts[i].line;
    const auto [top, bottom] = std::minmax(line.y1(), line.y2());
    if (std::abs(point.x() - line.x1()) <= kReach && point.y() >= top && point.y() <= bottom) return i;
  }
  return std::nullopt;
}

std::optional<LaneId> gripAt(const BoardGeometry& geometry, QPointF point) {
  for (const BoardGeometry::Grip& grip : geometry.grips)
    if (grip.handle.adjusted(-kReach, 0, kReach, 0).contains(point)) return grip.lane;
  return std::nullopt;
}

LaneId laneAt(const BoardGeometry& geometry, qreal y) {
  if (geometry.rows.empty()) return LaneId(0);
  const auto nearest = std::min_element(geometry.rows.begin(), geometry.rows.end(), [y](const auto& a, const auto& b) {
    return std::abs(a.band.center().y() - y) < std::abs(b.band.center().y() - y);
  });
  return nearest->lane;
}

std::vector<BlockId> chipsIn(const BoardGeometry& geometry, const QRectF& area) {
  std::vector<BlockId> blocks;
  for (const BoardGeometry::Chip& chip : geometry.chips) {
    if (chip.rect.intersects(area)) blocks.push_back(chip.block);
  }
  return blocks;
}

Placement withBlocksOn(Placement placement, const std::vector<BlockId>& blocks, LaneId lane) {
  for (const BlockId block : blocks) placement.lane_of_block[block.index()] = lane;
  return placement;
}

Placement withStageFrom(Placement placement, BlockId first, LaneId lane) {
  for (const Stage& stage : stagesOf(placement)) {
    if (first < stage.first || first >= stage.end) continue;
    for (std::size_t i = first.index(); i < stage.end.index(); ++i) placement.lane_of_block[i] = lane;
    break;
  }
  return placement;
}

std::optional<Placement> withCutBefore(const Placement& placement, BlockId first, int lanes) {
  const std::vector<Stage> stages = stagesOf(placement);
  const auto stage = std::ranges::find_if(stages, [first](const Stage& s) { return first > s.first && first < s.end; });
  if (stage == stages.end() || lanes < 2) return std::nullopt;
  const auto is_empty = [&](LaneId lane) {
    return std::ranges::find(placement.lane_of_block, lane) == placement.lane_of_block.end();
  };
  for (int step = 1; step < lanes; ++step) {
    const LaneId lane((stage->lane.value + step) % lanes);
    if (is_empty(lane)) return withStageFrom(placement, first, lane);
  }
  const LaneId next = stage + 1 != stages.end() ? (stage + 1)->lane : LaneId((stage->lane.value + 1) % lanes);
  return withStageFrom(placement, first, next);
}

CutRange cutRange(const Placement& placement, BlockId first) {
  CutRange range{first, first};
  for (const Stage& stage : stagesOf(placement)) {
    if (stage.end == first) range.lowest = BlockId(stage.first.value + 1);
    if (stage.first == first) range.highest = BlockId(stage.end.value - 1);
  }
  return range;
}

Placement withCutMoved(Placement placement, BlockId first, BlockId new_first) {
  const LaneId before = placement.lane_of_block[first.index() - 1];
  const LaneId after = placement.lane_of_block[first.index()];
  for (int i = new_first.value; i < first.value; ++i) placement.lane_of_block[static_cast<std::size_t>(i)] = after;
  for (int i = first.value; i < new_first.value; ++i) placement.lane_of_block[static_cast<std::size_t>(i)] = before;
  return placement;
}

BlockId boundaryNear(const BoardGeometry& geometry, qreal x, CutRange range) {
  BlockId best = range.lowest;
  for (BlockId block = range.lowest; block <= range.highest; ++block.value) {
    const auto distance = [&](BlockId b) {
      return std::abs(b.index() < geometry.chips.size() ? geometry.chips[b.index()].rect.left() - x
                                                        : geometry.chips.back().rect.right() - x);
    };
    if (distance(block) < distance(best)) best = block;
  }
  return best;
}

}  // namespace lanelab
