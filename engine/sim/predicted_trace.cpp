// SPDX-License-Identifier: GPL-3.0-only
#include "engine/sim/predicted_trace.h"

#include <cassert>
#include <cmath>

#include "profiler/trace/trace_builder.h"

namespace lanelab {
namespace {

constexpr double kNanosecondsPerSecond = 1e9;

Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * kNanosecondsPerSecond); }

Span spanOf(const Action& action, Category category, double start, double end) {
  Span span;
  span.start = nanoseconds(start);
  span.end = nanoseconds(end);
  span.step = 0;
  span.stage = static_cast<std::int16_t>(action.stage.value);
  span.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
  span.category = category;
  span.phase = phaseOfLetter(letterOf(action.kind));
  return span;
}

void addLane(TraceBuilder& builder, int lane, const Simulation& simulation) {
  const TrackIndex compute = builder.addTrack(lane, Track::Kind::Compute, "compute");
  for (const SimulatedAction& done : simulation.lanes[static_cast<std::size_t>(lane)].actions) {
    Span span = spanOf(done.action, Category::Action, done.start, done.end);
    if (span.range().empty()) continue;
    span.name = builder.intern(toString(done.action));
    builder.append(compute, span);
  }
  const TrackIndex transfers = builder.addTrack(lane, Track::Kind::Transfer, "transfer");
  for (const SimulatedTransfer& sent : simulation.transfers) {
    if (sent.from.value != lane) continue;
    Span span = spanOf(sent.producer, Category::Transfer, sent.start, sent.end);
    span.mark = nanoseconds(sent.queued);
    span.name = builder.intern("send " + toString(sent.producer));
    builder.append(transfers, span);
  }
}

}  // namespace

std::shared_ptr<const Trace> predictedTrace(const Simulation& simulation, const std::string& title,
                                            const std::vector<LaneInfo>& lanes) {
  assert(lanes.size() == simulation.lanes.size());
  TraceBuilder builder(title, lanes, Origin::Predicted);
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) addLane(builder, static_cast<int>(lane), simulation);
  Span step;
  step.category = Category::Step;
  step.step = 0;
  step.end = nanoseconds(simulation.step_seconds);
  step.name = builder.intern("step 0");
  builder.append(builder.addTrack(0, Track::Kind::Step, "steps"), step);
  return builder.snapshot();
}

}  // namespace lanelab
