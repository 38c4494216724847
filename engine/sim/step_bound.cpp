// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/step_bound.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "engine/sim/measured_costs.h"
#include "engine/sim/step_simulation.h"

namespace lanelab {
namespace {

/// What the lanes' slowing each other down may save, where it was measured below 1.
double leastFactor(const VariantPlan& plan, const StepCosts& costs) {
  std::set<LaneId> lanes;
  for (const Stage& stage : plan.stages) lanes.insert(stage.lane);
  return std::min(1.0, 1 + costs.whole.contention * (static_cast<double>(lanes.size()) - 1));
}

class Bounds {
 public:
  Bounds(const VariantPlan& plan, const StepCosts& costs)
      : m_plan(plan),
        m_factor(leastFactor(plan, costs)),
        m_backward(splitsBackward(plan.schedule) ? ActionKind::BackwardInput : ActionKind::Backward) {
    for (const Stage& stage : plan.stages) {
      m_whole.push_back(secondsOf(stage, costs.whole, costs.whole));
      m_last.push_back(secondsOf(stage, costs.last.value_or(costs.whole), costs.whole));
    }
  }

  StepBound of(LaneId lane) const {
    const int last = m_plan.micro_batches.count() - 1;
    double work = 0, rest = 0;  // what has to be done before the last backward, and what need not
    for (const Action& action : m_plan.schedule.lanes[lane.index()]) {
      const StageSeconds& seconds = (action.micro_batch.value == last ? m_last : m_whole)[action.stage.index()];
      (action.kind == ActionKind::BackwardWeight ? rest : work) += m_factor * seconds.of(action.kind);
    }
    std::size_t first = m_plan.stages.size();
    for (std::size_t s = m_plan.stages.size(); s-- > 0;) {
      if (m_plan.stages[s].lane != lane) continue;
      first = s;
      rest += m_factor * m_whole[s].update;
    }
    const double before = inFront(first, ActionKind::Forward), after = inFront(first, m_backward);
    const StepBound with_rest{lane, m_plan.stepsOverlap() ? 0 : before, work + rest, 0};
    const StepBound with_after{lane, before, work, after};
    return with_rest.seconds() > with_after.seconds() ? with_rest : with_after;
  }

 private:
  /// Of the quickest micro-batch in the stages before `end`, one after the other.
  double inFront(std::size_t end, ActionKind kind) const {
    double whole = 0, last = 0;
    for (std::size_t s = 0; s < end; ++s) {
      const bool sent = m_plan.stages[s].lane != m_plan.stages[s + 1].lane;
      whole += m_factor * m_whole[s].of(kind) + (sent ? m_whole[s].transfer : 0);
      last += m_factor * m_last[s].of(kind) + (sent ? m_last[s].transfer : 0);
    }
    return std::min(whole, last);
  }

  const VariantPlan& m_plan;
  double m_factor;
  ActionKind m_backward;
  std::vector<StageSeconds> m_whole, m_last;
};

}  // namespace

StepBound boundOf(const VariantPlan& plan, const StepCosts& costs) {
  assert(plan.replicas() == 1);
  const Bounds bounds(plan, costs);
  StepBound largest;
  for (const Stage& stage : plan.stages) {
    const StepBound bound = bounds.of(stage.lane);
    if (bound.seconds() > largest.seconds()) largest = bound;
  }
  return largest;
}

}  // namespace lanelab
