// SPDX-License-Identifier: GPL-3.0-only
// Idle time of a lane as an object that one can point at: what the hatch between its actions shows. Binary searches in
// the rows of one lane. Thread: GUI.
#pragma once

#include <optional>

#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// From what the lane did last to what it does next, or from the begin or to the end of the steps that lanes do without
/// meeting.
struct LaneGap {
  int lane = 0;
  std::size_t row = 0;  ///< the lane's first one of actions
  TimeRange range;
  std::optional<SpanRef> before, after;  ///< what the lane did last and does next in these steps
  bool operator==(const LaneGap&) const = default;
};

/// What a lane does at a moment, and for how long.
struct LaneMoment {
  enum class Kind {
    Computes,
    Idle,
    BetweenSteps,  ///< where nobody counts time
    Unknown,       ///< of a run in progress, or one that did not end
    WithoutWork    ///< in the whole trace
  };
  Kind kind = Kind::BetweenSteps;
  TimeRange range;
  std::optional<SpanRef> before, after;  ///< while it is idle
};
LaneMoment momentOf(const TimelineData& data, int lane, Nanoseconds time);

std::optional<LaneGap> gapAt(const TimelineData& data, int lane, Nanoseconds time);
/// The first one of at least this length from a time on, or the last one that begins before it.
std::optional<LaneGap> firstGapFrom(const TimelineData& data, int lane, Nanoseconds time, Nanoseconds least);
std::optional<LaneGap> lastGapBefore(const TimelineData& data, int lane, Nanoseconds time, Nanoseconds least);

/// The window that a gap is in.
TimeRange windowOf(const TimelineData& data, const LaneGap& gap);

}  // namespace lanelab
