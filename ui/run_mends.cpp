#include "ui/run_mends.h"

#include "engine/run/environment.h"
#include "engine/sim/measured_costs.h"

namespace lanelab {

double simulatedStep(const VariantPlan& plan, const BlockProfile& times) {
  const std::vector<const BlockProfile*> of_lane(plan.schedule.lanes.size(), &times);
  return stepSecondsOf(of_lane, plan.schedule, plan.stages, plan.micro_batches, plan.modes.recompute);
}

Result<Mends> mendsOf(const RunRecord& record, const std::string& variant, const Trace& trace, const Executor& executor, const ProfileStore& store) {
  const Result<MeasuredVariant> measured = measuredVariant(record, variant, trace, executor, store, simulatedStep);
  if (!measured.ok()) return measured.error();
  return findMends(*measured, simulatedStep, isThisMachine(record.environment) ? executor.devices() : std::vector<DeviceInfo>{});
}

}  // namespace lanelab
