// SPDX-License-Identifier: GPL-3.0-only
// Executes a schedule: one generic loop a lane over its actions, mailboxes between the stages. No torch, so that the
// sanitizers run it.
//
// Lanes meet at the start of a stretch of steps. Within it nothing holds a lane but its input: it begins its next step
// when its own stages are updated. A mailbox is never filled twice: its writer's next step follows the update of the
// writer's stage, which follows the gradients of all that the reader took. For the same reason no two lanes are more
// than one step apart.
//
// Idea: torchgpipe's workers and queues (pipeline.py, worker.py) with PyTorch's per-rank action lists. A lane thread
// takes its next action, waits for the input in the action's mailbox (spins briefly, then sleeps), computes, posts the
// result to the neighbour's mailbox; a weight part (W) takes and posts nothing. Neighbouring stages may lie on one
// lane, which then posts to itself. The first failure wins: every mailbox is closed, all lanes leave, the error names
// lane, stage, micro-batch and operation. Cancel is honoured between actions.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "engine/lanes/executor.h"
#include "engine/lanes/lane_worker.h"
#include "engine/lanes/remote_links.h"
#include "engine/schedule/replicas.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Prepares a lane's own host thread (pinning, thread counts), makes its worker there, and lets both go there at the
/// end.
using LaneWorkerFactory = std::function<std::unique_ptr<LaneWorker>(LaneId lane)>;

/// What a run of several processes adds to each step, after each of which its lanes meet: this process's lanes and
/// ways, and what all agree on after it.
struct RemoteRanks {
  std::vector<bool> here;  ///< by lane; empty: all are
  CarrierFactory
      carrier;  ///< called within start(), on the calling thread, in the same order in all processes that share a link
  /// After every step with this process's seconds and loss, which become those of all; an Error ends the run.
  std::function<Status(double& seconds, double& loss)> settle;
};

/// Threads and mailboxes of one variant; threads live as long as the loop. `lanes` without actions get no thread.
class StepLoop {
 public:
  StepLoop(std::vector<LaneInfo> lanes, StageLanes stage_lanes, Schedule schedule);
  ~StepLoop();

  /// Starts the threads and makes the workers on them. A factory that throws ends in an Error naming the lane.
  Status start(const LaneWorkerFactory& factory, RemoteRanks remote = {});

  /// Runs `steps` steps. All lanes begin together after every step with meets_after(step), and where that is empty
  /// every step. Spans: actions on Track::Compute, transfers, waits, and a Step span each step, from its first start to
  /// its last end; counters: the loss per step, and the memory of lanes whose workers count it. The losses of the lanes
  /// are summed. The seconds of a step count from the end of the step before, or from where the lanes began together,
  /// so that they add up to the repeat's. Callable again after any outcome. on_step runs on the calling thread, where
  /// lanes meet while none of them runs. A resumed repeat begins at step `first`.
  RepeatOutcome run(int steps, TraceBuilder* trace, const std::function<void(int, double, double)>& on_step,
                    std::stop_token stop, int first = 0, const std::function<bool(int)>& meets_after = {});

  /// Runs step 0 so many times over and gives their seconds. Those with recorded(i), called on the calling thread
  /// between the steps, are recorded.
  Result<std::vector<double>> repeatStep(int times, TraceBuilder& trace, const std::function<bool(int)>& recorded,
                                         std::stop_token stop);

  /// Runs `work` on the lane's thread and waits (reset, saving). Exceptions become an Error that names the lane.
  Status onLane(LaneId lane, const std::function<void(LaneWorker&)>& work);
  /// The same for a forward between steps that trains nothing; the trace of the repeat shows when it ran.
  Status evaluateOn(LaneId lane, const std::function<void(LaneWorker&)>& work);
  /// On all of them at once, for work that joins them; the first lane's Error, where several fail.
  Status onLanes(const std::vector<LaneId>& lanes, const std::function<void(LaneId, LaneWorker&)>& work);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace lanelab
