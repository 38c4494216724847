// SPDX-License-Identifier: GPL-3.0-only
// What an experiment would have to say so that a change of measured steps came about: stages on other lanes, or the
// move of blocks that comes nearest to another length of a stage.
//
// Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/advise/suggestions.h"
#include "profiler/analysis/what_if.h"

namespace lanelab {

struct MovedStages {
  VariantConfig variant;  ///< the present one with the blocks of these stages on their new lanes
  /// How its lanes do a step then, in the numbers that the stages have now; empty if these say nothing of it, since it
  /// cuts inside them.
  std::vector<std::vector<OrderedAction>> order;
};

/// `lanes`: by stage of the variant's plan, its new lane. BadInput says why the variant cannot be placed like that: its
/// schedule wants another layout, its lanes are replicas.
Result<MovedStages> movedStages(const ResolvedVariant& variant, const std::map<int, int>& lanes);

/// The move of one to three blocks that brings a stage nearest to `factor` of its time.
struct NearestMove {
  BlockMove move;
  double factor = 1;      ///< of the stage's time that it gives
  double step_ratio = 1;  ///< of the predicted step
};

/// Nothing if no move brings it nearer than it is.
std::optional<NearestMove> nearestMove(const MeasuredVariant& measured, int stage, double factor);

}  // namespace lanelab
