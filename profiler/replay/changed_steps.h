// SPDX-License-Identifier: GPL-3.0-only
// What follows from changes of measured steps: the steps played again, how long they are then, how idle each lane is,
// and what their critical path goes through.
//
// Pure; any thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "profiler/replay/span_change.h"

namespace lanelab {

/// Actions of a stage and phase, and how much of the critical path they are.
struct PathShare {
  int stage = -1;
  Phase phase = Phase::None;
  double share = 0;
  bool sameActions(const PathShare& other) const { return stage == other.stage && phase == other.phase; }
};

struct StepFacts {
  Nanoseconds step = 0;                     ///< what it costs; of several the mean
  std::vector<std::optional<double>> idle;  ///< by lane, of its windows; nothing for a lane without any work
  PathShare path;                           ///< what most of the critical path goes through
};

struct ChangedSteps {
  std::shared_ptr<const Trace> trace;  ///< played again (replayWith)
  std::optional<int> step;             ///< the facts are of this one alone; else of all
  StepFacts before;
  StepFacts after;
  std::vector<CriticalPath> paths;  ///< of `trace`
};

/// How long the meant spans took, in the mean, and will take.
struct ChangedLength {
  Nanoseconds before = 0;
  Nanoseconds after = 0;
  int count = 0;
};

/// A measured trace, with all that each answer needs of it.
class MeasuredSteps {
 public:
  explicit MeasuredSteps(std::shared_ptr<const Trace> trace);

  const Trace& trace() const { return *m_trace; }
  const TracedActions& traced() const { return m_traced; }
  /// n log n in the number of spans: 5 ms for 10,000.
  ChangedSteps with(const WhatIf& changes) const;
  ChangedLength lengthOf(const ScaledSpans& spans, const WhatIf& changes) const;
  /// By stage the lane that does it; stages that several lanes do are left out.
  const std::map<int, int>& lanes() const { return m_lanes; }
  bool isReplicated(int stage) const { return !m_lanes.contains(stage); }

 private:
  std::shared_ptr<const Trace> m_trace;
  TracedActions m_traced;
  std::vector<CriticalPath> m_paths;
  std::map<int, int> m_lanes;
};

}  // namespace lanelab
