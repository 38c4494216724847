// SPDX-License-Identifier: GPL-3.0-only
// What one reading of all spans tells of a trace: how long it is, its steps, whether lanes hold several stages. Of a
// trace that grows only what is new is read.
#pragma once

#include <vector>

#include "ui/timeline/model/step_hulls.h"

namespace lanelab {

class TraceDigest {
 public:
  explicit TraceDigest(const Trace& trace);
  /// `earlier`: a snapshot of the same trace when it was shorter, and what it was digested to.
  TraceDigest(const Trace& trace, const Trace& earlier, const TraceDigest& digested);

  TimeRange range() const { return m_range; }
  const std::vector<StepWindow>& steps() const { return m_steps; }
  /// Whether a lane computes for more than one stage.
  bool severalStages() const { return m_several_stages; }
  bool holdsActions() const { return m_holds_actions; }
  /// From when on spans were read that the earlier trace may not have had; by lane, the end of time where there were
  /// none.
  const std::vector<Nanoseconds>& newFrom() const { return m_new_from; }

 private:
  void read(const Trace& trace, const Trace* earlier);
  void add(const Track& track, const Span& span);

  TimeRange m_range;
  bool m_any = false;
  StepHulls m_hulls;
  std::vector<StepWindow> m_steps;
  std::vector<std::int16_t> m_stage_of_lane;
  bool m_several_stages = false;
  bool m_holds_actions = false;
  std::vector<Nanoseconds> m_new_from;
};

}  // namespace lanelab
