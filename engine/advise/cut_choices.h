// SPDX-License-Identifier: GPL-3.0-only
// Ways to cut a variant's network over its lanes, judged by measured block times: the one with the shortest predicted
// step, the exact partition, rules of thumb, and what is placed now.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/window_kind.h"
#include "engine/advise/step_predictor.h"

namespace lanelab {

struct CutChoice {
  enum class Kind { PredictedStep, MeasuredTime, Macs, Parameters, Memory, Tutorial, AsPlaced };
  Kind kind = Kind::PredictedStep;
  std::vector<std::string> cuts;
  double seconds = 0;     ///< predicted, in the variant's own window; infinite where it cannot run on its lanes
  double bottleneck = 0;  ///< seconds of the slowest lane, or of a transfer that takes longer
  VariantConfig variant;
};

struct CutChoices {
  /// The shortest first, what is placed now last; the exact partition (MeasuredTime) only if it is another cut.
  std::vector<CutChoice> rows;
  int tried = 0;  ///< cuts that were predicted
  bool all_tried = false;
  WindowKind window = WindowKind::Step;  ///< of `seconds`
  int split_size = 1;
  bool interpolated = false;  ///< no profile was made at just this split size
};

/// Into as many stages as the variant's lanes take (stageLanesOf). Takes less than a second. BadInput: a variant of one
/// stage, more stages than blocks.
Result<CutChoices> cutChoices(const ResolvedVariant& variant, const StepPredictor& predictor);

}  // namespace lanelab
