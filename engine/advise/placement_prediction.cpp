// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/placement_prediction.h"

#include <algorithm>
#include <cmath>

#include "base/quantile.h"
#include "engine/advise/variant_cuts.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/placement/partition.h"
#include "profiler/analysis/idle_causes.h"

namespace lanelab {
namespace {

/// What keeps the variant from running with any cut that was tried, as of this one.
Error whyNone(const ResolvedVariant& variant, const std::vector<BlockId>& cuts) {
  const auto changed = variant.with(withCuts(variant, namesOf(variant.model(), cuts)));
  const Result<VariantPlan>& plan = changed->variants().front().plan();
  if (!plan.ok()) return plan.error();
  return Error::badInput(
      "No cut that was tried keeps every lane within its memory limit. Raise a limit, or choose a schedule that holds "
      "fewer activations.");
}

}  // namespace

std::optional<PlacementPrediction> predictPlacement(const ResolvedVariant& variant, const StepPredictor& predictor) {
  const Result<VariantPlan>& plan = variant.plan();
  if (!plan.ok() || !predictor.knows(variant)) return std::nullopt;
  const Simulation simulation = predictor.simulation(*plan);
  const double bubble = bubbleShares(explainActions(*predictedTrace(simulation, variant))).of_total;
  double idle = 0;
  int working = 0;
  for (const SimulatedLane& lane : simulation.lanes) {
    if (lane.actions.empty()) continue;
    idle += lane.idle;
    ++working;
  }
  const double windows = working * simulation.step_seconds;
  const bool single = variant.config().strategy == Strategy::Single;
  const auto named = single ? 1 : static_cast<int>(variantLanes(variant.experiment(), variant.config()).size());
  return PlacementPrediction{simulation.step_seconds,
                             bubble,
                             windows > 0 ? idle / windows : 0,
                             simulation.window,
                             working,
                             std::max(0, named - working),
                             predictor.withRange(*plan, simulation.step_seconds).range};
}

std::optional<double> estimateErrorIn(const RunRecord& record, const std::string& variant, const KnownModel& known) {
  const VariantRecord* const measured = record.find(variant);
  const auto resolution = resolve(record.experiment, known);
  const ResolvedVariant* const resolved = resolution->find(variant);
  if (measured == nullptr || resolved == nullptr || !resolved->hasModel()) return std::nullopt;
  const std::vector<double> steps = measured->stepMedians();
  if (!resolved->plan().ok() || steps.empty() || !(medianOf(steps) > 0)) return std::nullopt;
  const StepPredictor predictor(estimatedBlockTimes(record.experiment, resolved->model()));
  return predictor.seconds(*resolved->plan()) / medianOf(steps) - 1;
}

Result<VariantConfig> balanced(const ResolvedVariant& variant, const StepPredictor& predictor) {
  if (!predictor.knows(variant)) return Error::badInput("There are no block times of this model to balance by.");
  if (stageLanesOf(variant).size() < 2)
    return Error::badInput(
        "This variant has one stage per replica or device, so there is nothing to balance. Give it another lane.");
  const Result<Partition> exact = partition(partitionProblemOf(variant, predictor));
  if (!exact.ok()) return exact.error();
  const FastestCut fastest = fastestCutOf(variant, predictor, exact->cuts);
  if (std::isinf(fastest.seconds)) return whyNone(variant, fastest.cuts);
  // Fewer stages than lanes may be faster on a machine of few cores, but that is another question.
  const bool cut = std::ranges::equal(variant.stages(), stageLanesOf(variant), {}, &Stage::lane);
  if (cut && !isShorter(fastest.seconds, secondsWithinLimits(variant, predictor))) return variant.config();
  return withCuts(variant, namesOf(variant.model(), fastest.cuts));
}

}  // namespace lanelab
