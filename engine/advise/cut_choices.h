// SPDX-License-Identifier: GPL-3.0-only
// Ways to cut a variant's network over its lanes, judged by measured block times: the provably best, rules of thumb,
// and what is placed now.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/experiment/resolution.h"
#include "engine/placement/block_profile.h"
#include "engine/placement/partition.h"
#include "engine/placement/placement.h"

namespace lanelab {

struct CutChoice {
  enum class Kind { MeasuredTime, Macs, Parameters, Memory, Tutorial, AsPlaced };
  Kind kind = Kind::MeasuredTime;
  Placement placement;
  std::vector<std::string> cuts;
  Partition partition;
};

struct CutChoices {
  std::vector<CutChoice> rows;  ///< the best first, what is placed now last
  int split_size = 1;
  bool interpolated = false;  ///< no profile was made at just this split size
};

/// One stage on each lane of the variant, in its order. `of_lane` has a profile for each lane of the experiment.
/// BadInput: a variant of one lane, or with more lanes than the model has blocks.
Result<CutChoices> cutChoices(const ResolvedVariant& variant, const std::vector<const BlockProfile*>& of_lane);

}  // namespace lanelab
