// SPDX-License-Identifier: GPL-3.0-only
#include "ui/what_if/predicted_step.h"

#include <algorithm>

#include "engine/advise/profile_of.h"
#include "engine/experiment/variant_plan.h"
#include "engine/lanes/lane_infos.h"
#include "engine/record/environment.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/predicted_trace.h"

namespace lanelab {

std::shared_ptr<const Trace> predictedStep(const RunRecord& record, const std::string& variant,
                                           const Executor& executor, const ProfileStore& store) {
  const Experiment& experiment = record.experiment;
  const auto config = std::find_if(experiment.variants.begin(), experiment.variants.end(),
                                   [&](const VariantConfig& v) { return v.name == variant; });
  if (config == experiment.variants.end() || !isThisMachine(record.environment)) return nullptr;
  const std::optional<LaneProfiles> kept = keptProfiles(trainedAs(experiment, *config), executor, store);
  const Result<ModelSpec> model = modelOf(experiment);
  if (!kept || !model.ok()) return nullptr;
  const Result<VariantPlan> plan = planVariant(experiment, *model, *config);
  if (!plan.ok()) return nullptr;
  const Simulation simulation =
      simulate(plan->schedule, plan->stages,
               stepCostsOf(kept->ofLanes(), plan->schedule, plan->stages, plan->micro_batches, plan->modes.recompute));
  return predictedTrace(simulation, variant, laneInfos(experiment.lanes));
}

}  // namespace lanelab
