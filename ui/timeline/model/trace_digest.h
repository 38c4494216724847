// SPDX-License-Identifier: GPL-3.0-only
// What one reading of all spans tells of a trace: how long it is, its steps, whether lanes hold several stages. Of a
// trace that grows only what is new is read.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

class TraceDigest {
 public:
  explicit TraceDigest(const Trace& trace) { read(trace, nullptr); }
  /// `earlier`: a snapshot of the same trace when it was shorter, and what it was digested to.
  TraceDigest(const Trace& trace, const Trace& earlier, const TraceDigest& digested);

  /// With what is in progress up to now.
  TimeRange range() const { return m_shown_range; }
  /// What stepWindows() says: by step number the Step span of the step, or where it has none, its first action's start
  /// to its last action's end.
  const std::vector<StepWindow>& steps() const { return m_steps; }
  /// What laneSteps() says of a lane.
  const std::vector<StepWindow>& stepsOf(int lane) const {
    return m_lane_steps[static_cast<std::size_t>(lane)].by_step;
  }
  /// Whether a lane computes for more than one stage.
  bool severalStages() const { return m_several_stages; }
  bool holdsActions() const { return m_holds_actions; }
  /// From when on spans were read that the earlier trace may not have had; by lane, the end of time where there were
  /// none.
  const std::vector<Nanoseconds>& newFrom() const { return m_new_from; }

 private:
  /// Hulls by step number. Spans of a step follow each other, so that most find theirs where the last one was.
  struct StepHulls {
    std::vector<StepWindow> by_step;
    std::size_t last = 0;
    void add(int step, TimeRange range);
  };
  static std::vector<StepWindow> windows(const StepHulls& steps, const StepHulls& actions);
  void read(const Trace& trace, const Trace* earlier);
  void add(const Track& track, const Span& span);
  void addRunning(const Trace& trace);
  void noteStage(int lane, std::int16_t of_action);
  static void note(std::vector<StepHulls>& lanes, int lane, const Span& span);

  TimeRange m_range;  ///< of what has ended, as are the hulls
  TimeRange m_shown_range;
  bool m_any = false;
  StepHulls m_step_spans, m_actions;
  std::vector<StepHulls> m_ended_lane_steps;  ///< of what has ended, by lane
  std::vector<StepHulls> m_lane_steps;        ///< and of what is in progress
  std::vector<StepWindow> m_steps;
  std::vector<std::int16_t> m_stage_of_lane;
  bool m_several_stages = false;
  bool m_holds_actions = false;
  std::vector<Nanoseconds> m_new_from;
};

}  // namespace lanelab
