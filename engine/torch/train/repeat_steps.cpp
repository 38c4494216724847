// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/repeat_steps.h"

#include <optional>
#include <utility>

#include "base/stop_point.h"
#include "engine/torch/train/epoch_results.h"
#include "engine/torch/train/session_checkpoint.h"

namespace lanelab {

namespace {

/// Steps and epochs that an earlier process has run, in their order.
void reportDone(const Checkpoint& done, const RepeatRequest& request) {
  std::size_t epoch = 0;
  for (int step = 0; step < done.nextStep(); ++step) {
    const auto index = static_cast<std::size_t>(step);
    if (request.on_step) request.on_step(step, done.step_seconds[index], done.losses[index]);
    for (; epoch < done.epochs.size() && done.epochs[epoch].last_step <= step; ++epoch)
      if (request.on_epoch) request.on_epoch(static_cast<int>(epoch), done.epochs[epoch]);
  }
}

class RepeatSteps {
 public:
  RepeatSteps(SessionLanes& lanes, const RepeatRequest& request)
      : m_lanes(lanes), m_request(request), m_steps(lanes.job().experiment.data.steps), m_epochs(lanes) {}

  RepeatOutcome run() {
    RepeatOutcome outcome;
    Status failure = withStop(m_request.stop, [&] { return restore(); });
    if (failure.ok()) {
      std::stop_source ended;
      const std::stop_callback on_stop(m_request.stop, [&ended] { ended.request_stop(); });
      const auto after_step = [&](int step, double seconds, double loss) {
        if (!failure.ok()) return;
        failure = afterStep(step, seconds, loss);
        if (!failure.ok()) ended.request_stop();
      };
      const int first = m_done.nextStep();
      const TrainingJob& job = m_lanes.job();
      job.batches->start(first, m_steps);
      outcome = m_lanes.loop().run(m_steps, m_request.trace, after_step, ended.get_token(), first,
                                   [&](int step) { return lanesMeetAfter(step); });
      job.batches->stop();
    }
    outcome.step_seconds = std::move(m_done.step_seconds);
    outcome.losses = std::move(m_done.losses);
    outcome.epochs = std::move(m_done.epochs);
    if (!failure.ok()) outcome.failure = failure;
    return outcome;
  }

 private:
  Status restore() {
    Result<Checkpoint> done = restoreCheckpoint(m_lanes, m_request.checkpoints);
    if (!done.ok()) return done.error();
    m_done = std::move(*done);
    reportDone(m_done, m_request);
    return {};
  }

  bool lanesMeetAfter(int step) const {
    return m_lanes.peers() || !m_lanes.job().plan.stepsOverlap() || m_epochs.endsAt(step) ||
           isCheckpointDue(m_request.checkpoints, step, m_steps);
  }

  Status afterStep(int step, double seconds, double loss) {
    m_done.step_seconds.push_back(seconds);
    m_done.losses.push_back(loss);
    if (m_request.on_step) m_request.on_step(step, seconds, loss);
    const Result<std::optional<EpochResult>> epoch = m_epochs.add(step, loss, m_request.stop);
    if (!epoch.ok()) return epoch.error();
    if (*epoch) {
      m_done.epochs.push_back(**epoch);
      if (m_request.on_epoch) m_request.on_epoch(static_cast<int>(m_done.epochs.size()) - 1, **epoch);
    }
    if (!isCheckpointDue(m_request.checkpoints, step, m_steps)) return {};
    return storeCheckpoint(m_lanes, m_request.checkpoints, m_done);
  }

  SessionLanes& m_lanes;
  const RepeatRequest& m_request;
  const int m_steps;
  EpochResults m_epochs;
  Checkpoint m_done;  ///< what was measured so far, without state
};

}  // namespace

RepeatOutcome runSteps(SessionLanes& lanes, const RepeatRequest& request) { return RepeatSteps(lanes, request).run(); }

}  // namespace lanelab
