// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/predicted_trace.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * kNanosecondsPerSecond); }

template <class Done>
Span spanOf(const Action& action, Category category, const Done& done) {
  Span span;
  span.start = nanoseconds(done.start);
  span.end = nanoseconds(done.end);
  span.step = done.step;
  span.stage = static_cast<std::int16_t>(action.stage.value);
  span.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
  span.category = category;
  span.phase = phaseOfLetter(letterOf(action.kind));
  return span;
}

void addLane(TraceBuilder& builder, int lane, const Simulation& simulation) {
  if (simulation.lanes[static_cast<std::size_t>(lane)].actions.empty()) return;  // it takes no part
  const TrackIndex compute = builder.addTrack(lane, Track::Kind::Compute, "compute");
  for (const SimulatedAction& done : simulation.lanes[static_cast<std::size_t>(lane)].actions) {
    Span span = spanOf(done.action, Category::Action, done);
    if (span.range().empty()) continue;
    span.name = builder.intern(toString(done.action));
    builder.append(compute, span);
  }
  const TrackIndex transfers = builder.addTrack(lane, Track::Kind::Transfer, "transfer");
  for (const SimulatedTransfer& sent : simulation.transfers) {
    if (sent.from.value != lane) continue;
    Span span = spanOf(sent.producer, Category::Transfer, sent);
    span.mark = nanoseconds(sent.queued);
    span.name = builder.intern("send " + toString(sent.producer));
    builder.append(transfers, span);
  }
}

/// From each step's first start to its last end, by step.
std::vector<Span> stepSpans(const Simulation& simulation) {
  std::vector<Span> steps;
  for (const SimulatedLane& lane : simulation.lanes) {
    for (const SimulatedAction& done : lane.actions) {
      const auto place = static_cast<std::size_t>(done.step);
      while (steps.size() <= place) {
        Span& span = steps.emplace_back();
        span.category = Category::Step;
        span.step = static_cast<std::int32_t>(steps.size()) - 1;
        span.start = nanoseconds(done.start);
      }
      steps[place].start = std::min(steps[place].start, nanoseconds(done.start));
      steps[place].end = std::max(steps[place].end, nanoseconds(done.end));
    }
  }
  return steps;
}

}  // namespace

std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const std::string& title,
                                            const std::vector<LaneInfo>& lanes) {
  assert(lanes.size() == simulation.lanes.size());
  TraceBuilder builder(title, lanes, Origin::Predicted);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) addLane(builder, static_cast<int>(lane), simulation);
  const TrackIndex steps = builder.addTrack(0, Track::Kind::Step, "steps");
  for (Span& step : stepSpans(simulation)) {
    step.name = builder.intern("step " + std::to_string(step.step));
    builder.append(steps, step);
  }
  return builder.snapshot();
}

}  // namespace lanelab
