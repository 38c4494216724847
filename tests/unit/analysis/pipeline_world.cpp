// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/analysis/pipeline_world.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "engine/schedule/generate.h"

namespace lanelab {

namespace {

constexpr std::size_t kRowsALane = 3;

Phase phaseOf(ActionKind kind) {
  switch (kind) {
    case ActionKind::Forward: return Phase::Forward;
    case ActionKind::Backward: return Phase::Backward;
    case ActionKind::BackwardInput: return Phase::BackwardInput;
    case ActionKind::BackwardWeight: return Phase::BackwardWeight;
    case ActionKind::Update: return Phase::Update;
  }
  return Phase::None;
}

Category categoryOf(Cause cause) {
  switch (cause) {
    case Cause::Profiler: return Category::Profiler;
    case Cause::Data: return Category::Data;
    case Cause::Sync: return Category::Sync;
    case Cause::Allocator: return Category::Allocator;
    default: return Category::Host;
  }
}

void name(Span& span, const std::string& text) {
  const std::optional<Action> action = parseAction(text);
  if (!action) throw std::runtime_error(text + " is no action");
  span.stage = static_cast<std::int16_t>(action->stage.value);
  span.micro_batch = static_cast<std::int16_t>(action->micro_batch.value);
  span.phase = phaseOf(action->kind);
}

/// The action whose result this one takes.
std::optional<Action> inputOf(const Action& action, const std::map<Action, Nanoseconds>& known) {
  const int stage = action.stage.value;
  if (action.kind == ActionKind::Forward)
    return stage == 0 ? std::nullopt
                      : std::optional(Action{StageId(stage - 1), ActionKind::Forward, action.micro_batch});
  if (action.kind != ActionKind::Backward && action.kind != ActionKind::BackwardInput) return std::nullopt;
  for (const ActionKind kind : {ActionKind::Backward, ActionKind::BackwardInput}) {
    const Action input{StageId(stage + 1), kind, action.micro_batch};
    if (known.contains(input)) return input;
  }
  return std::nullopt;
}

class Clock {
 public:
  Clock(PipelineWorld& world, const PlannedStep& step, Nanoseconds start, int number,
        std::vector<PlantedDelay>* planted)
      : m_world(world),
        m_step(step),
        m_start(start),
        m_number(number),
        m_planted(planted),
        m_free(step.schedule.lanes.size(), start) {
    for (std::size_t lane = 0; lane < step.schedule.lanes.size(); ++lane) {
      for (const Action& action : step.schedule.lanes[lane]) {
        m_lane_of[action] = static_cast<int>(lane);
        m_never[action] = 0;
      }
    }
  }

  Nanoseconds run() {
    std::vector<std::size_t> next(m_free.size(), 0);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t lane = 0; lane < next.size(); ++lane)
        for (const auto& row = m_step.schedule.lanes[lane];
             next[lane] < row.size() && perform(static_cast<int>(lane), row[next[lane]]); ++next[lane])
          moved = true;
    }
    return *std::max_element(m_free.begin(), m_free.end());
  }

 private:
  /// False while its input has not been made.
  bool perform(int lane, const Action& action) {
    const std::optional<Action> input = inputOf(action, m_never);
    if (input && !m_ends.contains(*input)) return false;
    Nanoseconds& free = m_free[static_cast<std::size_t>(lane)];
    Nanoseconds ready = std::max(free, input ? m_ends.at(*input) : m_start);
    const auto delay = m_step.delays.find(action);
    const bool delayed = delay != m_step.delays.end();
    if (input && m_lane_of.at(*input) != lane)
      ready = std::max(free, arrival(lane, *input, delayed ? &delay->second : nullptr));
    const Nanoseconds start = delayed ? ready + hold(lane, ready, delay->second) : ready;
    const EditedSpan span = m_world.action(lane, toString(action), start, start + m_step.lengthOf(action), m_number);
    if (delayed && delay->second.late_issue) span->mark = start;
    free = m_ends[action] = start + m_step.lengthOf(action);
    return true;
  }

  Nanoseconds arrival(int lane, const Action& input, const PlannedStep::Delay* delay) {
    const Nanoseconds more_queued = delay && delay->cause == Cause::TransferQueued ? delay->length : 0;
    const Nanoseconds more_copy = delay && delay->cause == Cause::Transfer ? delay->length : 0;
    const Nanoseconds made = m_ends.at(input);
    const Nanoseconds sent = made + m_step.queued + more_queued;
    const Nanoseconds there = sent + m_step.copy + more_copy;
    if (there > made) m_world.transfer(m_lane_of.at(input), toString(input), sent, there, sent - made, m_number);
    if (more_queued > 0) plant(lane, {made, sent}, Cause::TransferQueued);
    if (more_copy > 0) plant(lane, {sent, there}, Cause::Transfer);
    return there;
  }

  /// How long the lane is held.
  Nanoseconds hold(int lane, Nanoseconds from, const PlannedStep::Delay& delay) {
    if (delay.cause == Cause::TransferQueued || delay.cause == Cause::Transfer) return 0;
    if (delay.cause != Cause::Unresolved && !delay.late_issue)
      m_world.host(lane, categoryOf(delay.cause), from, from + delay.length);
    plant(lane, {from, from + delay.length}, delay.cause);
    return delay.length;
  }

  void plant(int lane, TimeRange range, Cause cause) {
    if (m_planted) m_planted->push_back({lane, range, cause});
  }

  PipelineWorld& m_world;
  const PlannedStep& m_step;
  Nanoseconds m_start;
  int m_number;
  std::vector<PlantedDelay>* m_planted;
  std::vector<Nanoseconds> m_free;
  std::map<Action, int> m_lane_of;
  std::map<Action, Nanoseconds> m_never;
  std::map<Action, Nanoseconds> m_ends;
};

}  // namespace

PipelineWorld::PipelineWorld(int lanes) {
  for (int i = 0; i < lanes; ++i) {
    trace.lanes.push_back({"lane " + std::to_string(i), "cpu:" + std::to_string(i)});
    trace.tracks.push_back({i, Track::Kind::Compute, "compute", {}});
    trace.tracks.push_back({i, Track::Kind::Transfer, "transfers", {}});
    trace.tracks.push_back({i, Track::Kind::Host, "host", {}});
  }
  trace.tracks.push_back({0, Track::Kind::Step, "steps", {}});
}

Span PipelineWorld::span(Category category, const std::string& text, Nanoseconds start, Nanoseconds end, int step) {
  return namedSpan(trace, category, text, start, end, step);
}

EditedSpan PipelineWorld::action(int lane, const std::string& text, Nanoseconds start, Nanoseconds end, int step) {
  Span made = span(Category::Action, text, start, end, step);
  name(made, text);
  return appended(trace, static_cast<std::size_t>(lane) * kRowsALane, made);
}

EditedSpan PipelineWorld::transfer(int lane, const std::string& text, Nanoseconds start, Nanoseconds end,
                                   Nanoseconds queued, int step) {
  Span made = span(Category::Transfer, "send " + text, start, end, step);
  name(made, text);
  made.mark = start - queued;
  return appended(trace, static_cast<std::size_t>(lane) * kRowsALane + 1, made);
}

EditedSpan PipelineWorld::host(int lane, Category category, Nanoseconds start, Nanoseconds end) {
  return appended(trace, static_cast<std::size_t>(lane) * kRowsALane + 2,
                  span(category, std::string(toString(category)), start, end, -1));
}

EditedSpan PipelineWorld::window(Nanoseconds start, Nanoseconds end, int step) {
  return appended(trace, trace.tracks.size() - 1,
                  span(Category::Step, "step " + std::to_string(step), start, end, step));
}

const Trace& PipelineWorld::built() {
  for (Track& track : trace.tracks) track.spans.sort();
  return trace;
}

std::string told(const Trace& trace, const LaneCauses& lane) {
  std::ostringstream text;
  for (const ExplainedGap& gap : lane.gaps) {
    text << (text.tellp() > 0 ? "; " : "") << gap.range.start << "-" << gap.range.end << " before "
         << beforeText(trace, gap) << ":";
    for (std::uint32_t i = 0; i < gap.piece_count; ++i) {
      const CausePiece& piece = lane.pieces[gap.first_piece + i];
      text << (i > 0 ? ", " : " ") << toString(piece.cause) << " " << piece.range.start << "-" << piece.range.end;
    }
  }
  return text.str();
}

CauseTimes totalOf(const IdleCauses& causes) {
  CauseTimes sum;
  for (const LaneCauses& lane : causes.lanes) sum += lane.causes;
  return sum;
}

Nanoseconds PlannedStep::lengthOf(const Action& action) const {
  const auto own = lengths.find(action);
  if (own != lengths.end()) return own->second;
  if (action.kind == ActionKind::Forward) return forward;
  return action.kind == ActionKind::Backward ? backward : backward / 2;
}

Nanoseconds run(PipelineWorld& world, const PlannedStep& step, Nanoseconds start, int number,
                std::vector<PlantedDelay>* planted) {
  return Clock(world, step, start, number, planted).run();
}

Schedule scheduleOf(const std::string& schedule, int stages, int lanes, int micro_batches) {
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  const ScheduleKind kind = *parseScheduleName(schedule);
  const Result<Schedule> made =
      generateSchedule(kind, lanesOfStages(kind, stages, all), lanes, micro_batches, WindowKind::Step);
  if (!made.ok()) throw std::runtime_error(made.error().message);
  return *made;
}

}  // namespace lanelab
