// SPDX-License-Identifier: GPL-3.0-only
// The actions of a trace, step by step in order of start, and what each of them waited for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/step_periods.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// What passes over a trace's actions ask for, since it is slow to look up each in its track.
struct TracedAction {
  TimeRange range;
  Nanoseconds issued = 0;  ///< when it was handed over; 0 when unknown
  std::uint32_t name = 0;
  int step = -1;
  std::int16_t stage = -1;
  std::int16_t micro_batch = -1;
  Phase phase = Phase::None;
  int lane = 0;
  std::uint32_t producer = kNoItem;  ///< the action of its step whose result it takes, where the trace has it
  Nanoseconds produced = kNever;     ///< when that ended; where the trace lacks it, when its result was queued
  Nanoseconds sent = kNever;         ///< when the transfer of that result started
  Nanoseconds arrived = kNever;      ///< and ended
};

/// Actions by lane, then as the tracks of the trace have them.
struct TracedActions {
  std::vector<StepWindow> windows;
  std::vector<Stretch> stretches;  ///< of the windows
  std::vector<TracedAction> actions;
  std::vector<std::uint32_t> by_step;  ///< actions of windows[0] in order of start, then those of windows[1] ...; those
                                       ///< without a step are left out
  std::vector<std::size_t> step_begins;   ///< one a window, and the end
  std::vector<std::uint32_t> by_stretch;  ///< as by_step, with the actions of a stretch in order of start; empty where
                                          ///< no steps overlap
  std::vector<std::size_t> lane_begins;   ///< in `actions`: one a lane, and the end

  /// Numbers of the actions of a window, in order of start.
  std::span<const std::uint32_t> itemsOf(std::size_t window) const {
    return std::span(by_step).subspan(step_begins[window], step_begins[window + 1] - step_begins[window]);
  }
  /// Of all steps of a stretch, in order of start.
  std::span<const std::uint32_t> itemsOf(const Stretch& stretch) const {
    const std::size_t begin = step_begins[stretch.first];
    const std::size_t end = step_begins[stretch.first + stretch.count];
    return std::span(by_stretch.empty() ? by_step : by_stretch).subspan(begin, end - begin);
  }
};

/// A transfer belongs to the step, stage, phase and micro-batch it carries; of several for one result the first start
/// and the last end count. Of several actions with one name in a step the first counts as producer. F goes to the next
/// stage, B and I to the one before. Recorded work of GPUs tells more of when an action was issued and of its
/// transfers.
TracedActions tracedActions(const Trace& trace);

}  // namespace lanelab
