// SPDX-License-Identifier: GPL-3.0-only
// What lanes report of steps that they run on their own, for the thread that waits until all lanes have done a step.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "profiler/trace/span.h"

namespace lanelab {

/// What one lane did in one complete step.
struct LaneStep {
  double loss = 0;            ///< the lane's part
  TimeRange computed;         ///< first action's start, or its wait for data, to last action's end; if recorded
  TimeRange waited_for_data;  ///< before the step's first action; mostly empty
  Nanoseconds finished = 0;   ///< after the step's end on the lane
};

class StepReports {
 public:
  /// While no lane runs: so many lanes will report steps from `first` on, each in order.
  void begin(std::size_t lanes, int first);

  /// The lane's own thread.
  void add(std::size_t lane, const LaneStep& report);
  /// The lane's own thread: it reports no more steps.
  void leave(std::size_t lane);

  /// Waits until all lanes have done the step, and gives their reports; nothing where a lane left before it had.
  /// Steps go upwards.
  std::optional<std::vector<LaneStep>> await(int step);

 private:
  struct Lane {
    std::vector<LaneStep> steps;
    bool left = false;
  };

  std::mutex m_mutex;  ///< guards all below
  std::condition_variable m_changed;
  std::vector<Lane> m_lanes;
  int m_first = 0;
};

}  // namespace lanelab
