// SPDX-License-Identifier: GPL-3.0-only
// A lower bound of a simulated step, which a reader can check by hand: what the busiest lane computes in a step, what
// must be done before its first action, and what after its last backward.
//
// Before: one micro-batch's forwards of the stages in front of the lane's first stage, with the transfers between them.
// After: the same of its backwards, or their input parts, which follow any backward of the lane. Nothing has to follow
// weight parts and updates, so they count with what comes before, or not at all with what comes after: the larger of
// both. Of a period, whose first lane ends a step before it begins the next, nothing has to come before all of the
// work. The largest of all lanes is the bound. It holds for the plan's cuts and lanes and for whole or split backwards
// as the plan has them, in whatever order the actions are; other cuts may be faster.
#pragma once

#include "engine/experiment/variant_plan.h"
#include "engine/sim/simulate.h"

namespace lanelab {

/// Seconds.
struct StepBound {
  LaneId lane;        ///< whose parts these are
  double before = 0;  ///< its first action; 0 where it does not count
  double work = 0;    ///< with weight parts and updates, or without them where `after` counts
  double after = 0;   ///< its last backward

  double seconds() const { return before + work + after; }
};

/// Of the window that the plan runs with. Costs as of simulate(); asserts that the plan has no replicas.
StepBound boundOf(const VariantPlan& plan, const StepCosts& costs);

}  // namespace lanelab
