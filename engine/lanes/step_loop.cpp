// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/step_loop.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "base/stop_point.h"
#include "engine/lanes/lane_program.h"
#include "engine/lanes/lane_runner.h"
#include "engine/lanes/lane_thread.h"

namespace lanelab {

struct StepLoop::State {
  struct Lane {
    Lane(LaneId lane, const LaneInfo& info, LaneProgram program, LoopShared& shared)
        : id(lane), runner(lane, info, std::move(program), shared), thread("lane " + std::to_string(lane.value)) {}
    LaneId id;
    LaneRunner runner;
    LaneThread thread;
  };

  State(std::vector<LaneInfo> lane_infos, StageLanes all_stages, Schedule the_schedule)
      : infos(std::move(lane_infos)), stage_lanes(std::move(all_stages)), schedule(std::move(the_schedule)) {}

  // The workers go where they were made: on their lane's thread.
  ~State() {
    for (auto& lane : lanes) {
      lane->thread.post([&lane] { lane->runner.worker().reset(); });
      lane->thread.wait();
    }
  }

  void makeLanes() {
    shared.mailboxes = std::vector<Mailbox>(mailboxCount(schedule));
    std::vector<LaneProgram> programs = lanePrograms(schedule);
    if (!remote.here.empty()) {
      for (LinkPlan& link : remoteLinkPlans(programs, remote.here)) {
        std::unique_ptr<PacketCarrier> carrier = remote.carrier(link);
        links.push_back(
            std::make_unique<RemoteLink>(std::move(link), std::move(carrier), shared.mailboxes, shared.gate));
      }
    }
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (!remote.here.empty() && !remote.here[i]) continue;
      if (!programs[i].empty())
        lanes.push_back(std::make_unique<Lane>(LaneId(i), infos[i], std::move(programs[i]), shared));
    }
    shared.start_barrier.setLanes(static_cast<int>(lanes.size()));
    shared.spin = lanes.size() <= std::thread::hardware_concurrency();
  }

  // While no lane runs: forgets what an earlier run left behind.
  void begin(TraceBuilder* trace) {
    for (Mailbox& mailbox : shared.mailboxes) mailbox.clear();
    shared.gate.reopen();
    for (auto& lane : lanes) lane->runner.recordTo(trace);
    for (auto& link : links) link->recordTo(trace);
  }

  void end() {
    for (auto& lane : lanes) lane->runner.recordTo(nullptr);
    for (auto& link : links) link->recordTo(nullptr);
    for (Mailbox& mailbox : shared.mailboxes) mailbox.clear();
  }

  /// All lanes begin `first` together and continue by themselves up to the step before `end`.
  void startStretch(const StepCommand& first, int end) {
    reports.begin(lanes.size(), first.step);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i]->thread.post([this, i, first, end, stop = currentStopToken()] {
        const StopScope scope(stop);
        runLane(i, first, end);
      });
    }
    for (auto& link : links) link->beginStep(first);
  }

  void runLane(std::size_t index, const StepCommand& first, int end) {
    for (StepCommand command = first; command.step < end; ++command.step) {
      const std::optional<LaneStep> done = lanes[index]->runner.runStep(command, command.step == first.step);
      if (!done) break;
      reports.add(index, *done);
    }
    reports.leave(index);
  }

  /// Waits until all threads are idle. Whether everything was carried between processes.
  bool endStretch() {
    for (auto& lane : lanes) lane->thread.wait();
    bool carried = true;
    for (auto& link : links) carried = link->endStep() && carried;
    return carried;
  }

  /// on_done(step, lanes) on the calling thread after each step that all lanes have done; at the last one no lane runs.
  /// False where the stretch was left early.
  template <class OnDone>
  bool runStretch(const StepCommand& first, int end, const OnDone& on_done) {
    startStretch(first, end);
    for (int step = first.step; step < end; ++step) {
      const std::optional<std::vector<LaneStep>> done = reports.await(step);
      const bool last = !done || step + 1 == end;
      if ((last && !endStretch()) || !done) return false;
      on_done(step, *done);
    }
    return true;
  }

  /// When the lanes began the first step of a stretch: together, or with an earlier wait for data.
  Nanoseconds begunAt(const std::vector<LaneStep>& step) const {
    Nanoseconds began = shared.started;
    for (const LaneStep& lane : step)
      if (!lane.waited_for_data.empty()) began = std::min(began, lane.waited_for_data.start);
    return began;
  }

  static double secondsOf(const std::vector<LaneStep>& step, Nanoseconds since) {
    return step.empty() ? 0 : static_cast<double>(finishedOf(step) - since) * 1e-9;
  }

  static Nanoseconds finishedOf(const std::vector<LaneStep>& step) {
    Nanoseconds finished = 0;
    for (const LaneStep& lane : step) finished = std::max(finished, lane.finished);
    return finished;
  }

  static double lossOf(const std::vector<LaneStep>& step) {
    double sum = 0;
    for (const LaneStep& lane : step) sum += lane.loss;
    return sum;
  }

  static TimeRange recordStep(TraceBuilder& trace, TrackIndex track, int step, const std::vector<LaneStep>& lanes,
                              Nanoseconds began_together) {
    Span span{.start = lanes.front().computed.start,
              .end = lanes.front().computed.end,
              .mark = began_together,
              .name = trace.intern("step " + std::to_string(step)),
              .step = step,
              .category = Category::Step};
    for (const LaneStep& lane : lanes) {
      span.start = std::min(span.start, lane.computed.start);
      span.end = std::max(span.end, lane.computed.end);
    }
    trace.append(track, span);
    return span.range();
  }

  std::vector<LaneInfo> infos;
  StageLanes stage_lanes;
  Schedule schedule;
  LoopShared shared;
  RemoteRanks remote;
  std::vector<std::unique_ptr<RemoteLink>> links;
  std::vector<std::unique_ptr<Lane>> lanes;  ///< those with actions
  StepReports reports;                       ///< of these
  bool started = false;
};

StepLoop::StepLoop(std::vector<LaneInfo> lanes, StageLanes stage_lanes, Schedule schedule)
    : m_state(std::make_unique<State>(std::move(lanes), std::move(stage_lanes), std::move(schedule))) {}

StepLoop::~StepLoop() = default;

Status StepLoop::start(const LaneWorkerFactory& factory, RemoteRanks remote) {
  State& state = *m_state;
  state.remote = std::move(remote);
  if (const Status executable = checkExecutable(state.schedule, state.stage_lanes, state.infos.size());
      !executable.ok())
    return executable;
  try {
    state.makeLanes();
  } catch (...) {
    return Error::failed(verbatim(currentExceptionMessage()));
  }
  for (auto& lane : state.lanes) {
    Status made;
    lane->thread.post([&, stop = currentStopToken()] {
      try {
        const StopScope scope(stop);
        lane->runner.worker() = factory(lane->id);
      } catch (const Stopped&) {
        made = Error::cancelled();
      } catch (...) {
        made = Error::failed("{}, start: {}", lane->runner.title(), currentExceptionMessage());
      }
    });
    lane->thread.wait();
    if (!made.ok()) return made;
  }
  state.started = true;
  return {};
}

namespace {

/// The step before which lanes meet after they have begun `begin` together.
int endOfStretch(int begin, int steps, const std::function<bool(int)>& meets_after) {
  int end = begin + 1;
  while (meets_after && end < steps && !meets_after(end - 1)) ++end;
  return end;
}

}  // namespace

RepeatOutcome StepLoop::run(int steps, TraceBuilder* trace, const std::function<void(int, double, double)>& on_step,
                            std::stop_token stop, int first, const std::function<bool(int)>& meets_after) {
  State& state = *m_state;
  RepeatOutcome outcome;
  if (!state.started) {
    outcome.failure = Error::failed("The lanes did not start.");
    return outcome;
  }
  state.begin(trace);
  const auto step_track = trace ? std::optional(trace->addTrack(0, Track::Kind::Step, "steps")) : std::nullopt;
  const auto loss = trace ? std::optional(trace->addCounter(-1, "loss", "loss")) : std::nullopt;

  const std::stop_callback on_stop(stop, [&state] { state.shared.gate.close(Error::cancelled()); });
  const StopScope scope(stop);
  Nanoseconds since = 0;  // the end of the step before in its stretch
  const auto on_done = [&](int step, const std::vector<LaneStep>& lanes) {
    if (!outcome.failure.ok()) return;
    double seconds = State::secondsOf(lanes, since > 0 ? since : state.begunAt(lanes));
    double step_loss = State::lossOf(lanes);
    since = State::finishedOf(lanes);
    if (state.remote.settle) outcome.failure = state.remote.settle(seconds, step_loss);
    if (!outcome.failure.ok()) return;
    outcome.step_seconds.push_back(seconds);
    outcome.losses.push_back(step_loss);
    if (trace && !lanes.empty())
      trace->appendValue(*loss, State::recordStep(*trace, *step_track, step, lanes, state.shared.started).end,
                         step_loss);
    if (on_step) on_step(step, outcome.step_seconds.back(), outcome.losses.back());
  };
  for (int begin = first; begin < steps && outcome.failure.ok();) {
    const int end = endOfStretch(begin, steps, meets_after);
    since = 0;
    const bool done = !state.shared.gate.closed() && state.runStretch({begin, true}, end, on_done);
    if (!done) outcome.failure = state.shared.gate.reason();
    if (!done) break;
    begin = end;
  }
  state.end();
  return outcome;
}

Result<std::vector<double>> StepLoop::repeatStep(int times, TraceBuilder& trace,
                                                 const std::function<bool(int)>& recorded, std::stop_token stop) {
  State& state = *m_state;
  if (!state.started) return Error::failed("The lanes did not start.");
  state.begin(&trace);
  const TrackIndex step_track = trace.addTrack(0, Track::Kind::Step, "steps");
  const std::stop_callback on_stop(stop, [&state] { state.shared.gate.close(Error::cancelled()); });
  const StopScope scope(stop);
  std::vector<double> seconds;
  for (int i = 0; i < times && !state.shared.gate.closed(); ++i) {
    const StepCommand command{0, recorded(i)};
    const auto on_done = [&](int step, const std::vector<LaneStep>& lanes) {
      seconds.push_back(State::secondsOf(lanes, state.begunAt(lanes)));
      if (command.recorded) State::recordStep(trace, step_track, step, lanes, state.shared.started);
    };
    if (!state.runStretch(command, 1, on_done)) break;
  }
  state.end();
  if (static_cast<int>(seconds.size()) < times) return state.shared.gate.reason().error();
  return seconds;
}

Status StepLoop::onLane(LaneId id, const std::function<void(LaneWorker&)>& work) {
  return onLanes({id}, [&](LaneId, LaneWorker& worker) { work(worker); });
}

Status StepLoop::evaluateOn(LaneId id, const std::function<void(LaneWorker&)>& work) {
  const auto lane = std::ranges::find(m_state->lanes, id, [](const auto& one) { return one->id; });
  return onLane(id, [&](LaneWorker& worker) {
    const Nanoseconds begin = monotonicNow();
    work(worker);
    (*lane)->runner.recordEvaluation({begin, monotonicNow()});
  });
}

Status StepLoop::onLanes(const std::vector<LaneId>& ids, const std::function<void(LaneId, LaneWorker&)>& work) {
  std::vector<State::Lane*> lanes;
  for (const LaneId id : ids) {
    const auto lane = std::ranges::find(m_state->lanes, id, [](const auto& one) { return one->id; });
    if (lane == m_state->lanes.end() || !(*lane)->runner.worker())
      return Error::failed("Lane {} does not work in this variant.", id.value);
    lanes.push_back(lane->get());
  }
  std::vector<Status> done(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    lanes[i]->thread.post([&, i, stop = currentStopToken()] {
      try {
        const StopScope scope(stop);
        work(ids[i], *lanes[i]->runner.worker());
      } catch (const Stopped&) {
        done[i] = Error::cancelled();
      } catch (...) {
        done[i] = Error::failed("{}: {}", lanes[i]->runner.title(), currentExceptionMessage());
      }
    });
  }
  for (State::Lane* const lane : lanes) lane->thread.wait();
  const auto failed = std::find_if(done.begin(), done.end(), [](const Status& status) { return !status.ok(); });
  return failed == done.end() ? Status() : *failed;
}

}  // namespace lanelab
