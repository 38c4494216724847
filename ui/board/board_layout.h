// SPDX-License-Identifier: GPL-3.0-only
// Where everything on the board lies, and what a drop means: pure functions of model, placement and size. Scene
// coordinates, logical pixels.
//
// x is the model's order and does not depend on the placement; y is the lane. So a cut is a step, and a drag never
// moves a block sideways.
#pragma once

#include <QLineF>
#include <QRectF>
#include <QSizeF>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/placement/placement.h"

namespace lanelab {

/// What the width of a chip stands for.
enum class ChipCost { Macs, Parameters, Memory };

/// Cost of each block. Memory: parameters plus what backward keeps of `samples` samples, in bytes.
std::vector<std::int64_t> blockCosts(const ModelSpec& model, ChipCost by, int samples);

/// Widths in proportion to the costs, none below its minimum, together `available` or, when the minima need more, that.
std::vector<qreal> chipWidths(const std::vector<std::int64_t>& costs, qreal available,
                              const std::vector<qreal>& minima);

struct BoardSizes {
  qreal margin = 8;
  std::vector<qreal> minimum_chips;  ///< a block each: its short name fits; missing ones count as 24
  qreal minimum_row = 34;
  qreal maximum_row = 96;
  qreal gap = 24;  ///< between rows: room for the labels of cuts
  qreal label_width = 76;
  qreal label_height = 18;
};

struct BoardInput {
  const ModelSpec& model;
  const Placement& placement;
  int lanes = 1;
  ChipCost by = ChipCost::Macs;
  int samples = 1;  ///< a micro-batch
  QSizeF view;
  BoardSizes sizes;
  std::vector<int> repeated_lanes =
      {};              ///< lane by lane, the lane that it repeats as a further replica; -1 or missing: none
  bool grips = false;  ///< empty lanes have handles that make a stage of them
};

struct BoardGeometry {
  struct Chip {
    BlockId block;
    LaneId lane;
    QRectF rect;
    double share = 0;  ///< of the whole cost
  };
  /// A step between two stages. `first` is the first block behind it; `bytes` is what a micro-batch carries over it.
  struct Cut {
    BlockId first;
    LaneId from;
    LaneId to;
    QLineF line;
    QRectF handle;
    bool labelled = true;  ///< false where labels would cover each other: the handle is then a small grip
    std::int64_t bytes = 0;
  };
  struct Row {
    LaneId lane;
    QRectF band;
    double share = 0;
    int blocks = 0;
    std::vector<QRectF> copies = {};  ///< of the chips of the lane that this one repeats
  };
  /// The handle of an empty lane, at the end of the model: where it is dragged to, a stage on that lane begins.
  struct Grip {
    LaneId lane;
    QRectF handle;
  };
  std::vector<Chip> chips;  ///< in model order
  std::vector<Cut> cuts;
  std::vector<Row> rows;
  std::vector<Grip> grips;
  QSizeF size;
};

BoardGeometry layoutBoard(const BoardInput& input);

std::optional<BlockId> chipAt(const BoardGeometry& geometry, QPointF point);
/// Index into `cuts`; also a few pixels beside the line.
std::optional<std::size_t> cutAt(const BoardGeometry& geometry, QPointF point);
/// The empty lane whose handle is there.
std::optional<LaneId> gripAt(const BoardGeometry& geometry, QPointF point);
/// The lane whose band is nearest to `y`.
LaneId laneAt(const BoardGeometry& geometry, qreal y);
std::vector<BlockId> chipsIn(const BoardGeometry& geometry, const QRectF& area);

/// The placement after these blocks were dropped on `lane`.
Placement withBlocksOn(Placement placement, const std::vector<BlockId>& blocks, LaneId lane);

/// The placement with a new stage on `lane`: from `first` to the end of its stage; behind the last block nothing
/// changes.
Placement withStageFrom(Placement placement, BlockId first, LaneId lane);
/// The same with the lane chosen: an empty one, if possible after the block's own, else that of the next stage. Nothing
/// where a stage begins with the block already, or there is no other lane.
std::optional<Placement> withCutBefore(const Placement& placement, BlockId first, int lanes);

/// First blocks that the cut before `first` may move to: both stages keep at least one block. [lowest, highest].
struct CutRange {
  BlockId lowest;
  BlockId highest;
};
CutRange cutRange(const Placement& placement, BlockId first);
Placement withCutMoved(Placement placement, BlockId first, BlockId new_first);
/// The block within `range` whose left edge is nearest to `x`; one past the last block has the model's right edge.
BlockId boundaryNear(const BoardGeometry& geometry, qreal x, CutRange range);

}  // namespace lanelab
