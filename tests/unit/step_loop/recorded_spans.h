// SPDX-License-Identifier: GPL-3.0-only
// A recorded run of the step loop, and the spans of its trace by lane and track.
#pragma once

#include "profiler/trace/trace_builder.h"
#include "tests/unit/step_loop/loop_world.h"

namespace lanelab {

inline std::vector<Span> spansOf(const Trace& trace, int lane, Track::Kind kind) {
  std::vector<Span> spans;
  for (const Track& track : trace.tracks) {
    if (track.lane == lane && track.kind == kind) spans.insert(spans.end(), track.spans.begin(), track.spans.end());
  }
  return spans;
}

inline std::vector<Span> hostSpans(const Trace& trace, int lane, Category category) {
  std::vector<Span> spans = spansOf(trace, lane, Track::Kind::Host);
  std::erase_if(spans, [&](const Span& span) { return span.category != category; });
  return spans;
}

inline std::shared_ptr<const Trace> recorded(const Plan& plan, int steps) {
  Loop one(plan);
  TraceBuilder builder("test", plan.lanes);
  const RepeatOutcome outcome = one.run(steps, &builder);
  EXPECT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  return builder.snapshot();
}

inline void keepBusy(Nanoseconds length) {
  for (const Nanoseconds until = monotonicNow() + length; monotonicNow() < until;) {
  }
}

}  // namespace lanelab
