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
    Lane(LaneId lane, const LaneInfo& info, LaneProgram program, LoopShared& room)
        : id(lane), runner(lane, info, std::move(program), room), thread("lane " + std::to_string(lane.value)) {}
    LaneId id;
    LaneRunner runner;
    bool complete = false;
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
    room.mailboxes = std::vector<Mailbox>(mailboxCount(schedule));
    std::vector<LaneProgram> programs = lanePrograms(schedule);
    if (!elsewhere.here.empty()) {
      for (LinkPlan& link : remoteLinkPlans(programs, elsewhere.here)) {
        std::unique_ptr<PacketCarrier> carrier = elsewhere.carrier(link);
        links.push_back(std::make_unique<RemoteLink>(std::move(link), std::move(carrier), room.mailboxes, room.gate));
      }
    }
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (!elsewhere.here.empty() && !elsewhere.here[i]) continue;
      if (!programs[i].empty())
        lanes.push_back(std::make_unique<Lane>(LaneId(i), infos[i], std::move(programs[i]), room));
    }
    room.start_barrier.setLanes(static_cast<int>(lanes.size()));
    room.spin = lanes.size() <= std::thread::hardware_concurrency();
  }

  // While no lane runs: forgets what an earlier run left behind.
  void begin(TraceBuilder* trace) {
    for (Mailbox& mailbox : room.mailboxes) mailbox.clear();
    room.gate.reopen();
    for (auto& lane : lanes) lane->runner.recordTo(trace);
    for (auto& link : links) link->recordTo(trace);
  }

  void end() {
    for (auto& lane : lanes) lane->runner.recordTo(nullptr);
    for (auto& link : links) link->recordTo(nullptr);
    for (Mailbox& mailbox : room.mailboxes) mailbox.clear();
  }

  bool runStep(const StepCommand& command) {
    for (auto& lane : lanes) {
      Lane* const one = lane.get();
      one->thread.post([one, command, stop = currentStopToken()] {
        const StopScope scope(stop);
        one->complete = one->runner.runStep(command);
      });
    }
    for (auto& link : links) link->beginStep(command);
    for (auto& lane : lanes) lane->thread.wait();
    bool carried = true;
    for (auto& link : links) carried = link->endStep() && carried;
    return carried && std::all_of(lanes.begin(), lanes.end(), [](const auto& lane) { return lane->complete; });
  }

  double seconds() const {
    if (lanes.empty()) return 0;
    Nanoseconds began = room.started, finished = room.started;
    for (const auto& lane : lanes) {
      finished = std::max(finished, lane->runner.finished());
      if (const TimeRange waited = lane->runner.waitedForData(); !waited.empty()) began = std::min(began, waited.start);
    }
    return static_cast<double>(finished - began) * 1e-9;
  }

  double loss() const {
    double sum = 0;
    for (const auto& lane : lanes) sum += lane->runner.loss();
    return sum;
  }

  TimeRange recordStep(TraceBuilder& trace, TrackIndex track, int step) const {
    Span span;
    span.category = Category::Step;
    span.step = step;
    span.name = trace.intern("step " + std::to_string(step));
    span.start = lanes.front()->runner.computed().start;
    span.end = lanes.front()->runner.computed().end;
    for (const auto& lane : lanes) {
      span.start = std::min(span.start, lane->runner.computed().start);
      span.end = std::max(span.end, lane->runner.computed().end);
    }
    trace.append(track, span);
    return span.range();
  }

  std::vector<LaneInfo> infos;
  StageLanes stage_lanes;
  Schedule schedule;
  LoopShared room;
  Elsewhere elsewhere;
  std::vector<std::unique_ptr<RemoteLink>> links;
  std::vector<std::unique_ptr<Lane>> lanes;  ///< those with actions
  bool started = false;
};

StepLoop::StepLoop(std::vector<LaneInfo> lanes, StageLanes stage_lanes, Schedule schedule)
    : m_state(std::make_unique<State>(std::move(lanes), std::move(stage_lanes), std::move(schedule))) {}

StepLoop::~StepLoop() = default;

Status StepLoop::start(const LaneWorkerFactory& factory, Elsewhere elsewhere) {
  State& state = *m_state;
  state.elsewhere = std::move(elsewhere);
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

RepeatOutcome StepLoop::run(int steps, TraceBuilder* trace, const std::function<void(int, double, double)>& on_step,
                            std::stop_token stop, int first) {
  State& state = *m_state;
  RepeatOutcome outcome;
  if (!state.started) {
    outcome.failure = Error::failed("The lanes did not start.");
    return outcome;
  }
  state.begin(trace);
  const auto step_track = trace ? std::optional(trace->addTrack(0, Track::Kind::Step, "steps")) : std::nullopt;
  const auto loss = trace ? std::optional(trace->addCounter(-1, "loss", "loss")) : std::nullopt;

  const std::stop_callback on_stop(stop, [&state] { state.room.gate.close(Error::cancelled()); });
  const StopScope scope(stop);
  for (int step = first; step < steps; ++step) {
    if (state.room.gate.closed() || !state.runStep({step, true})) {
      outcome.failure = state.room.gate.reason();
      break;
    }
    double seconds = state.seconds(), step_loss = state.loss();
    if (state.elsewhere.settle) outcome.failure = state.elsewhere.settle(seconds, step_loss);
    if (!outcome.failure.ok()) break;
    outcome.step_seconds.push_back(seconds);
    outcome.losses.push_back(step_loss);
    if (trace && !state.lanes.empty())
      trace->appendValue(*loss, state.recordStep(*trace, *step_track, step).end, step_loss);
    if (on_step) on_step(step, outcome.step_seconds.back(), outcome.losses.back());
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
  const std::stop_callback on_stop(stop, [&state] { state.room.gate.close(Error::cancelled()); });
  const StopScope scope(stop);
  std::vector<double> seconds;
  for (int i = 0; i < times && !state.room.gate.closed(); ++i) {
    const StepCommand command{0, recorded(i)};
    if (!state.runStep(command)) break;
    seconds.push_back(state.seconds());
    if (command.recorded) state.recordStep(trace, step_track, command.step);
  }
  state.end();
  if (static_cast<int>(seconds.size()) < times) return state.room.gate.reason().error();
  return seconds;
}

Status StepLoop::onLane(LaneId id, const std::function<void(LaneWorker&)>& work) {
  return onLanes({id}, [&](LaneId, LaneWorker& worker) { work(worker); });
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
