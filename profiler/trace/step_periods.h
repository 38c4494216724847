// SPDX-License-Identifier: GPL-3.0-only
// Steps that overlap, since lanes begin their next step while others still work on the one before, and the two windows
// of a step: that from its first start to its last end (stepWindows), and a lane's period from one step to the next.
//
// Pure; any thread. Any trace is allowed: odd files give odd periods, never an error.
#pragma once

#include <optional>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Steps that lanes do without meeting: neighbours among the step windows, each of which begins before those before it
/// have ended. Between stretches lanes meet, as at a step barrier, a validation or a checkpoint. With a barrier each
/// step is a stretch. Where some steps overlap, others that do not are of one stretch, too, if their spans say that
/// lanes did not meet in between (Span::mark).
struct Stretch {
  std::size_t first = 0;  ///< place among the windows
  std::size_t count = 0;  ///< at least one
  TimeRange range;        ///< hull of its windows
};

/// `windows`: those of stepWindows(). While a trace is recorded, steps in progress are one stretch. Their ranges do not
/// overlap: all steps are one stretch where they overlap and do not begin in order of their numbers. n log n then, else
/// n.
std::vector<Stretch> stretchesOf(const Trace& trace, const std::vector<StepWindow>& windows);

/// Whether any two steps overlap.
bool stepsOverlap(const Trace& trace);

/// Whether a lane's step begins with spans like this: actions and waits for data.
constexpr bool beginsStep(const Span& span) {
  return span.category == Category::Action || span.category == Category::Data;
}
/// By lane, from the first start to the last end of such spans, by step number.
std::vector<std::vector<StepWindow>> laneSteps(const Trace& trace);
/// The periods of a lane with these steps (lanePeriods).
std::vector<StepWindow> periodsOf(const std::vector<StepWindow>& lane_steps, const std::vector<StepWindow>& windows,
                                  const std::vector<Stretch>& stretches);

/// By lane, its periods in order, which do not overlap: from its first action of a step, or its wait for that step's
/// data, to the same of the next step of the stretch. The last one of a stretch ends with the lane's own last action of
/// that step, as zero bubble's authors measure a step (Qi et al. 2023): first F to last W or update. Lanes without any
/// work in a stretch have its step windows, each cut at the start of the next. O(n log steps)
std::vector<std::vector<StepWindow>> lanePeriods(const Trace& trace);

/// What each step cost, by place among the step windows: from step to step within a stretch, where a step begins at the
/// mean over the lanes that work in both of their first starts. The first of a stretch counts from its start and the
/// last one to its end, so that all of them together are the time of the stretches; where lanes meet after each step
/// they are the lengths of the step windows.
std::vector<Nanoseconds> stepPeriods(const Trace& trace);
/// Their mean; nothing without steps.
std::optional<Nanoseconds> meanStepPeriod(const Trace& trace);

}  // namespace lanelab
