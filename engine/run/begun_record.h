// A run's record before anything was measured: the experiment, the machine, and what each variant is going to be.
#pragma once

#include <string>
#include <vector>

#include "engine/run/executor.h"
#include "engine/run/run_record.h"
#include "engine/run/training_length.h"
#include "engine/run/variant_plan.h"

namespace lanelab {

/// Begins now.
RunRecord beginRecord(const Experiment& experiment, const std::vector<VariantPlan>& plans, const TrainingLength& length, const ModelSpec& model,
                      const Executor& executor);

/// ISO 8601, to the second.
std::string utcNow();

}  // namespace lanelab
