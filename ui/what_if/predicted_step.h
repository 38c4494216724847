// SPDX-License-Identifier: GPL-3.0-only
// What the simulator expects of a step of a run's variant, from the block times kept on this machine.
#pragma once

#include <memory>
#include <string>

#include "engine/advise/profile_store.h"
#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// One step as a trace. Null where nothing can be said: the variant is not in the run, it ran on another machine, or
/// the blocks were not measured.
std::shared_ptr<const Trace> predictedStep(const RunRecord& record, const std::string& variant,
                                           const Executor& executor, const ProfileStore& store);

}  // namespace lanelab
