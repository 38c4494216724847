// SPDX-License-Identifier: GPL-3.0-only
// A predicted step, to be laid over measured ones: when each action was expected, counted from the step's start.
#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

class Prediction {
 public:
  struct Expected {
    TimeRange range;  ///< from the step's start
    Phase phase = Phase::None;
  };

  /// Takes the first step of a predicted trace.
  explicit Prediction(const Trace& predicted);

  Nanoseconds stepLength() const { return m_step; }
  /// By start; none for a lane that was not predicted.
  const std::vector<Expected>& ofLane(int lane) const;
  /// The same action of the same lane, whatever its step.
  std::optional<TimeRange> find(int lane, const Span& action) const;

 private:
  using Key = std::tuple<int, Phase, std::int16_t, std::int16_t>;  ///< lane, phase, stage, micro-batch

  Nanoseconds m_step = 0;
  std::map<int, std::vector<Expected>> m_of_lane;
  std::map<Key, TimeRange> m_ranges;
};

}  // namespace lanelab
