// SPDX-License-Identifier: GPL-3.0-only
// Which lane computes which block, and the stages that follow from it.
#pragma once

#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "engine/model/model_spec.h"

namespace lanelab {

/// One lane for each block, in model order. Any block may lie on any lane.
struct Placement {
  std::vector<LaneId> lane_of_block;
  bool operator==(const Placement&) const = default;
};

/// A maximal run [first, end) of consecutive blocks on one lane.
struct Stage {
  StageId id;
  LaneId lane;
  BlockId first;
  BlockId end;
  bool operator==(const Stage&) const = default;
};

/// The stages of a placement in model order; neighbours lie on different lanes. A stage begins at each of `cuts` too,
/// which are blocks of the placement, so that neighbours may lie on one lane (the bottom of a V).
std::vector<Stage> stagesOf(const Placement& placement, const std::vector<BlockId>& cuts = {});

/// The blocks that begin a stage other than the first, by name.
std::vector<std::string> cutNames(const ModelSpec& model, const Placement& placement);

/// cuts[i] is the first block of stage i+1, which is on lanes[i+1]. Errors (BadInput): unknown block (names the
/// nearest), cuts out of the model's order or double, a cut before the first block, more stages than lanes.
Result<Placement> placementFromCuts(const ModelSpec& model, const std::vector<std::string>& cuts,
                                    const std::vector<LaneId>& lanes);

/// What a stage costs, a sample: sums over its blocks, plus its own copy of a received input where it keeps one;
/// `boundary_bytes` is the output of its last block (0 for the last stage).
struct StageCost {
  std::int64_t parameters = 0;
  std::int64_t frozen_parameters = 0;  ///< of these
  std::int64_t macs = 0;
  std::int64_t parameter_bytes = 0;
  std::int64_t activation_bytes = 0;
  std::int64_t boundary_bytes = 0;
};
StageCost costOf(const ModelSpec& model, const Stage& stage);

}  // namespace lanelab
