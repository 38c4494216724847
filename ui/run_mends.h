// What would make a variant of a shown run faster: engine/run's mends with the simulator's predictions.
#pragma once

#include <memory>
#include <string>

#include "engine/run/mends.h"
#include "engine/run/profile_store.h"

namespace lanelab {

/// What the simulator says of a step; the same for every lane.
double simulatedStep(const VariantPlan& plan, const BlockProfile& times);

/// Reads the kept block times; any thread. Errors are sentences that say why nothing can be predicted.
Result<Mends> mendsOf(const RunRecord& record, const std::string& variant, const Trace& trace, const Executor& executor, const ProfileStore& store);

}  // namespace lanelab
