// SPDX-License-Identifier: GPL-3.0-only
// Traces told by a few calls: by hand, span by span, or by running a schedule on an ideal clock with delays planted in
// it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/schedule/schedule.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/trace.h"
#include "tests/unit/trace/edited_span.h"

namespace lanelab {

/// Lanes with one row each for actions, transfers and the host's work; every lane has a device of its own unless told
/// otherwise.
struct PipelineWorld {
  Trace trace;

  explicit PipelineWorld(int lanes);

  /// "1F0" or "0U" on its lane.
  EditedSpan action(int lane, const std::string& name, Nanoseconds start, Nanoseconds end, int step = 0);
  /// Of the result of the action of that name; `queued` before it starts.
  EditedSpan transfer(int lane, const std::string& name, Nanoseconds start, Nanoseconds end, Nanoseconds queued = 0,
                      int step = 0);
  EditedSpan host(int lane, Category category, Nanoseconds start, Nanoseconds end);
  EditedSpan window(Nanoseconds start, Nanoseconds end, int step = 0);
  /// Sorts the rows, as a built trace has them.
  const Trace& built();

 private:
  Span span(Category category, const std::string& name, Nanoseconds start, Nanoseconds end, int step);
};

/// "0-5 before 0F0: fill 0-3, host 3-5" a gap, joined by "; ".
std::string told(const Trace& trace, const LaneCauses& lane);

/// Of all lanes.
CauseTimes totalOf(const IdleCauses& causes);

/// A step of a schedule as a clock would run it.
struct PlannedStep {
  Schedule schedule;
  std::map<Action, Nanoseconds> lengths;  ///< of the actions; `forward` and `backward` for those that are not here
  Nanoseconds forward = 1000;
  Nanoseconds backward = 2000;  ///< of B; I and W take half of it each
  Nanoseconds queued = 0;       ///< of every transfer between lanes
  Nanoseconds copy = 0;

  /// A delay of the action, once its lane is free and its input there: a host span of that cause, or a late issue, or
  /// nothing that tells. Of transfers: of the copy that brings its input.
  struct Delay {
    Cause cause;
    Nanoseconds length;
    bool late_issue = false;  ///< host only
  };
  std::map<Action, Delay> delays;

  Nanoseconds lengthOf(const Action& action) const;
};

/// Where a delay was planted, as it came to lie.
struct PlantedDelay {
  int lane = 0;
  TimeRange range;
  Cause cause = Cause::Unresolved;
};

/// Appends the step from `start` on. Gives its end; `planted` gets the delays.
Nanoseconds run(PipelineWorld& world, const PlannedStep& step, Nanoseconds start = 0, int number = 0,
                std::vector<PlantedDelay>* planted = nullptr);

/// The schedule of that name over stages that go round the lanes.
Schedule scheduleOf(const std::string& name, int stages, int lanes, int micro_batches);

}  // namespace lanelab
