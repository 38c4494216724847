// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/run_length.h"

namespace lanelab {

std::optional<double> predictedRunSeconds(const Resolution& resolution, const StepPredictor& predictor) {
  const Experiment& experiment = resolution.experiment();
  if (experiment.data.epochs) return std::nullopt;
  double steps_seconds = 0;
  for (const ResolvedVariant& variant : resolution.variants()) {
    if (!variant.plan().ok() || !predictor.knows(variant)) return std::nullopt;
    steps_seconds += predictor.seconds(*variant.plan());
  }
  return steps_seconds * experiment.data.steps * (experiment.repeats + experiment.warmup);
}

}  // namespace lanelab
