// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/lane_gap.h"

#include <algorithm>
#include <limits>

namespace lanelab {
namespace {

constexpr TimeRange kAlways{std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()};

struct Window {
  bool counts = false;  ///< else it is between two that do
  TimeRange range;
};

/// Of windows in order of time that do not overlap.
template <class Windows>
Window windowAt(const Windows& windows, Nanoseconds time) {
  const auto next = std::ranges::upper_bound(windows, time, {}, [](const auto& one) { return one.range.start; });
  TimeRange between = kAlways;
  if (next != windows.end()) between.end = next->range.start;
  if (next == windows.begin()) return {false, between};
  const TimeRange last = std::prev(next)->range;
  if (time < last.end) return {true, last};
  between.start = last.end;
  return {false, between};
}

/// Those in which the lane can be idle.
Window windowAt(const TimelineData& data, int lane, Nanoseconds time) {
  return data.aligned() ? windowAt(data.stepsOf(lane), time) : windowAt(data.stretches(), time);
}

/// What one row of actions has around a moment is taken off `moment`; false if it computes then.
bool cutByRow(const TimelineData& data, std::size_t index, Nanoseconds time, LaneMoment& moment) {
  const Row& row = data.rows()[index];
  const std::size_t next = visibleSpans(row, data.track(row), {time, time + 1}).first;
  if (next < row.spans.size()) {
    const TimeRange range = data.span({index, next}).range();
    if (range.start <= time && time < range.end) {
      moment = {LaneMoment::Kind::Computes, range, {}, {}};
      return false;
    }
    if (range.start > time && range.start < moment.range.end) {
      moment.range.end = range.start;
      moment.after = SpanRef{index, next};
    }
  }
  if (next == 0) return true;
  const Nanoseconds end = data.span({index, next - 1}).end;
  if (end > moment.range.start && end <= time) {
    moment.range.start = end;
    moment.before = SpanRef{index, next - 1};
  }
  return true;
}

std::optional<std::size_t> firstRowOf(const TimelineData& data, int lane) {
  for (std::size_t row = 0; row < data.rows().size(); ++row)
    if (data.rows()[row].lane == lane && data.rows()[row].kind == Track::Kind::Compute) return row;
  return std::nullopt;
}

std::optional<LaneGap> gapOf(const TimelineData& data, int lane, const LaneMoment& moment) {
  const std::optional<std::size_t> row = firstRowOf(data, lane);
  if (moment.kind != LaneMoment::Kind::Idle || !row) return std::nullopt;
  return LaneGap{lane, *row, moment.range, moment.before, moment.after};
}

}  // namespace

LaneMoment momentOf(const TimelineData& data, int lane, Nanoseconds time) {
  const Window window = windowAt(data, lane, time);
  LaneMoment moment{LaneMoment::Kind::Idle, window.range, {}, {}};
  bool works = false;
  for (std::size_t row = 0; row < data.rows().size(); ++row) {
    if (data.rows()[row].lane != lane || !data.rows()[row].holdsActions()) continue;
    works = true;
    if (!cutByRow(data, row, time, moment)) return moment;
  }
  if (!works) return {LaneMoment::Kind::WithoutWork, data.range(), {}, {}};
  if (!window.counts) return {LaneMoment::Kind::BetweenSteps, moment.range, {}, {}};
  const Nanoseconds known = data.knownUntil(lane).value_or(kAlways.end);
  if (time >= known) return {LaneMoment::Kind::Unknown, {known, kAlways.end}, {}, {}};
  if (moment.range.end > known) moment = {moment.kind, {moment.range.start, known}, moment.before, {}};
  return moment;
}

std::optional<LaneGap> gapAt(const TimelineData& data, int lane, Nanoseconds time) {
  return gapOf(data, lane, momentOf(data, lane, time));
}

std::optional<LaneGap> firstGapFrom(const TimelineData& data, int lane, Nanoseconds time, Nanoseconds least) {
  while (time < data.range().end) {
    const LaneMoment moment = momentOf(data, lane, time);
    if (moment.kind == LaneMoment::Kind::WithoutWork) return std::nullopt;
    const bool begins_here = moment.range.start >= time;
    if (moment.kind == LaneMoment::Kind::Idle && begins_here && moment.range.length() >= least)
      return gapOf(data, lane, moment);
    time = moment.range.end;
  }
  return std::nullopt;
}

std::optional<LaneGap> lastGapBefore(const TimelineData& data, int lane, Nanoseconds time, Nanoseconds least) {
  while (time > data.range().start) {
    const LaneMoment moment = momentOf(data, lane, time - 1);
    if (moment.kind == LaneMoment::Kind::WithoutWork) return std::nullopt;
    if (moment.kind == LaneMoment::Kind::Idle && moment.range.length() >= least) return gapOf(data, lane, moment);
    time = moment.range.start;
  }
  return std::nullopt;
}

TimeRange windowOf(const TimelineData& data, const LaneGap& gap) {
  return windowAt(data, gap.lane, gap.range.start).range;
}

}  // namespace lanelab
