// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/stored_prediction.h"

#include <optional>
#include <utility>

#include "engine/advise/step_predictor.h"
#include "engine/record/environment.h"
#include "engine/record/run_record.h"

namespace lanelab {

PredictStep predictFromStoredTimes(std::shared_ptr<const Executor> executor) {
  return [executor = std::move(executor)](const StepQuestion& question,
                                          const std::stop_token& stop) -> std::shared_ptr<const Trace> {
    const RunRecord* const run = question.record.get();
    if (run && !isThisMachine(run->environment)) return nullptr;
    const auto resolution = run ? resolve(run->experiment, question.resolution->known()) : question.resolution;
    const ResolvedVariant* const variant = resolution->find(question.variant);
    if (variant == nullptr || stop.stop_requested()) return nullptr;
    std::optional<LaneProfiles> times =
        storedProfiles(*resolution, variant->modes(), *executor, ProfileStore::ofThisUser());
    if (!times || !variant->plan().ok() || stop.stop_requested()) return nullptr;
    return predictedTrace(StepPredictor(std::move(*times)).simulation(*variant->plan()), *variant);
  };
}

}  // namespace lanelab
