// SPDX-License-Identifier: GPL-3.0-only
#include "ui/what_if/predicted_step.h"

#include "engine/advise/profile_of.h"
#include "engine/experiment/resolution.h"
#include "engine/lanes/lane_infos.h"
#include "engine/record/environment.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/predicted_trace.h"

namespace lanelab {

std::shared_ptr<const Trace> predictedStep(const RunRecord& record, const std::string& variant,
                                           const Executor& executor, const ProfileStore& store) {
  const Experiment& experiment = record.experiment;
  const auto resolution = resolve(experiment);
  const ResolvedVariant* const resolved = resolution->find(variant);
  if (resolved == nullptr || !isThisMachine(record.environment)) return nullptr;
  const std::optional<LaneProfiles> kept = keptProfiles(experiment, resolved->modes(), executor, store);
  const Result<VariantPlan>& plan = resolved->plan();
  if (!kept || !plan.ok()) return nullptr;
  const Simulation simulation =
      simulate(plan->schedule, plan->stages,
               stepCostsOf(kept->ofLanes(), plan->schedule, plan->stages, plan->micro_batches, plan->modes.recompute));
  return predictedTrace(simulation, variant, laneInfos(experiment.lanes));
}

}  // namespace lanelab
