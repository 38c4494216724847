// SPDX-License-Identifier: GPL-3.0-only
// The step windows of a trace that grows: what stepWindows() says of it, at the cost of what is new.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

class StepHulls {
 public:
  /// Any span, any number of times.
  void add(const Span& span);
  /// By step number: the Step span of the step, or where it has none, its first action's start to its last action's
  /// end.
  std::vector<StepWindow> windows() const;

 private:
  /// Hulls by step number. Spans of a step follow each other, so that most find theirs where the last one was.
  struct Hulls {
    std::vector<StepWindow> by_step;
    std::size_t last = 0;
    void add(int step, TimeRange range);
  };

  Hulls m_steps, m_actions;
};

}  // namespace lanelab
