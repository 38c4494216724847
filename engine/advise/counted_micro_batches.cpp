// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/counted_micro_batches.h"

#include "engine/sim/measured_costs.h"

namespace lanelab {

int countedMicroBatches(const ResolvedVariant& variant, int micro_batches) {
  if (windowKindOf(variant.stepBarrier()) == WindowKind::Step) return micro_batches;
  const Result<VariantPlan>& plan = variant.plan();
  return plan.ok() && splitsBackward(plan->schedule) ? 0 : micro_batches;
}

}  // namespace lanelab
