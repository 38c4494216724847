// SPDX-License-Identifier: GPL-3.0-only
// What a step of a variant would take if it ran as it is placed: for a board on which blocks are being moved, many
// times a second. Pure functions; seconds.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "engine/advise/step_predictor.h"
#include "engine/experiment/resolution.h"
#include "engine/record/run_record.h"

namespace lanelab {

struct PlacementPrediction {
  double step_seconds = 0;  ///< in the variant's own window: the period where its steps overlap
  double bubble = 0;        ///< fill and drain, of the windows of all lanes that have work: BubbleShares::of_total
  double idle = 0;          ///< all idle time, of the same
  WindowKind window = WindowKind::Step;
  int working = 1;                          ///< lanes that have actions
  int empty = 0;                            ///< lanes that the variant names and gives nothing to do
  std::optional<ForecastRange> range = {};  ///< of the step; none for estimates, whose error nobody knows
  bool operator==(const PlacementPrediction&) const = default;
};

/// Nothing for a variant without a plan, and for block times of another model. Exchange of gradients between replicas
/// is not in it. Takes n log n for n actions.
std::optional<PlacementPrediction> predictPlacement(const ResolvedVariant& variant, const StepPredictor& predictor);

/// How far the estimate from MACs is off the median measured step of a run's variant: predicted over measured, less 1.
/// Nothing without a measured step, or a plan.
std::optional<double> estimateErrorIn(const RunRecord& record, const std::string& variant,
                                      const KnownModel& known = {});

/// The variant with the cuts that make its predicted step the shortest of those tried (fastestCutOf): as many stages as
/// its lanes take, in the lanes' order; of replicas those of each. As it is if that is no shorter. BadInput: a variant
/// whose lanes hold one stage, more stages than blocks, block times of another model, no cut with which it could run.
Result<VariantConfig> balanced(const ResolvedVariant& variant, const StepPredictor& predictor);

}  // namespace lanelab
