// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/simulate.h"

#include <algorithm>
#include <cassert>

#include "engine/sim/step_simulation.h"

namespace lanelab {

BlockCost CostModel::sumOf(const Stage& stage) const {
  BlockCost sum;
  for (std::size_t i = stage.first.index(); i < stage.end.index(); ++i) {
    sum.forward += blocks[i].forward;
    sum.backward += blocks[i].backward;
    sum.backward_weight += blocks[i].backward_weight;
    sum.update += blocks[i].update;
  }
  return sum;
}

Simulation simulate(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs, int steps) {
  assert(steps > 0);
  Simulation done = StepSimulation(schedule, stages, costs).run(steps, steps, [](int) { return false; });
  for (const SimulatedLane& lane : done.lanes) {
    if (!lane.actions.empty()) done.step_seconds = std::max(done.step_seconds, lane.actions.back().end);
  }
  for (SimulatedLane& lane : done.lanes) {
    for (const SimulatedAction& action : lane.actions) lane.busy += action.end - action.start;
    lane.idle = std::max(0.0, done.step_seconds - lane.busy);
  }
  return done;
}

Simulation simulate(const VariantPlan& plan, const StepCosts& costs) {
  return windowKindOf(plan.step_barrier) == WindowKind::Period ? simulateSteady(plan.schedule, plan.stages, costs)
                                                               : simulate(plan.schedule, plan.stages, costs);
}

}  // namespace lanelab
