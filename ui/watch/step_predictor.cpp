// SPDX-License-Identifier: GPL-3.0-only
#include "ui/watch/step_predictor.h"

#include <utility>

#include "engine/advise/profile_store.h"
#include "engine/experiment/resolution.h"
#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "profiler/trace/trace.h"
#include "ui/what_if/what_if_answer.h"

namespace lanelab {

PredictStep predictFromStoredTimes(std::shared_ptr<const Executor> executor) {
  return [executor = std::move(executor)](const StepQuestion& question, std::stop_token stop) {
    const ProfileStore store = ProfileStore::ofThisUser();
    const Resolution& open = *question.resolution;
    return question.record
               ? predictedStep(*question.record, open.known(), question.variant, *executor, store, std::move(stop))
               : predictedStep(open, question.variant, *executor, store, std::move(stop));
  };
}

void StepPredictor::ask(StepQuestion question, Then then) {
  cancel();
  m_stop = std::stop_source();
  m_background.run(
      [this, question = std::move(question), then = std::move(then), stop = m_stop.get_token()]() -> Background::Then {
        auto predicted = stop.stop_requested() ? nullptr : m_predict(question, stop);
        return [then, stop, predicted = std::move(predicted)] {
          if (!stop.stop_requested()) then(predicted);
        };
      });
}

}  // namespace lanelab
