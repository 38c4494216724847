// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/step_periods.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "profiler/trace/step_hulls.h"

namespace lanelab {

namespace {

/// The entries of a step that lies among `steps`, by number; null if there is none.
const StepWindow* find(const std::vector<StepWindow>& steps, int step) {
  const auto found = std::ranges::lower_bound(steps, step, {}, &StepWindow::step);
  return found != steps.end() && found->step == step ? &*found : nullptr;
}

/// Of a lane with work in the stretch: each step from its begin to the next one's.
void addPeriods(const std::vector<StepWindow>& own, const std::vector<StepWindow>& windows, const Stretch& stretch,
                std::vector<StepWindow>& periods) {
  Nanoseconds begin = stretch.range.start;
  bool follows = false;
  for (std::size_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
    const StepWindow* const step = find(own, windows[i].step);
    if (step != nullptr) {
      begin = std::clamp(step->range.start, begin, stretch.range.end);
      if (follows) periods.back().range.end = begin;
      periods.push_back({step->step, {begin, std::clamp(step->range.end, begin, stretch.range.end)}});
    }
    follows = step != nullptr;
  }
}

void addWindows(const std::vector<StepWindow>& windows, const Stretch& stretch, std::vector<StepWindow>& periods) {
  Nanoseconds begin = stretch.range.start;
  for (std::size_t i = stretch.first; i < stretch.first + stretch.count; ++i) {
    const bool last = i + 1 == stretch.first + stretch.count;
    const Nanoseconds end = last ? stretch.range.end : std::max(begin, windows[i + 1].range.start);
    periods.push_back({windows[i].step, {begin, end}});
    begin = end;
  }
}

/// A mean of whole nanoseconds.
struct Mean {
  Nanoseconds sum = 0;
  Nanoseconds count = 0;
  void add(Nanoseconds one) {
    sum += one;
    ++count;
  }
  Nanoseconds valueOr(Nanoseconds other) const { return count == 0 ? other : sum / count; }
};

/// From the begin of a step to that of the next one, over the lanes that work in both.
Mean wayOf(const std::vector<std::vector<StepWindow>>& lanes, int step, int next) {
  Mean way;
  for (const std::vector<StepWindow>& lane : lanes) {
    const StepWindow* const from = find(lane, step);
    const StepWindow* const to = find(lane, next);
    if (from != nullptr && to != nullptr) way.add(to->range.start - from->range.start);
  }
  return way;
}

/// How long after `start` lanes begin the step.
Mean offsetOf(const std::vector<std::vector<StepWindow>>& lanes, int step, Nanoseconds start) {
  Mean offset;
  for (const std::vector<StepWindow>& lane : lanes)
    if (const StepWindow* const own = find(lane, step)) offset.add(own->range.start - start);
  return offset;
}

/// Those after it did not end, which is known only of a trace that may be cut.
int lastEndedStep(const Trace& trace) {
  if (!mayBeCut(trace)) return std::numeric_limits<int>::max();
  int last = -1;
  for (const Track& track : trace.tracks)
    if (track.kind == Track::Kind::Step && !track.spans.empty()) last = std::max(last, track.spans.back().step);
  return last;
}

bool overlap(TimeRange a, TimeRange b) { return a.start < b.end && b.start < a.end; }

/// Steps of odd files that overlap and do not begin in the order of their numbers: no two of them are apart for sure.
bool areMixed(const std::vector<StepWindow>& windows) {
  const auto start_of = [](const StepWindow& window) { return window.range.start; };
  if (std::ranges::is_sorted(windows, {}, start_of)) return false;
  std::vector<StepWindow> by_start = windows;
  std::ranges::sort(by_start, {}, start_of);
  TimeRange hull = by_start.front().range;
  for (std::size_t i = 1; i < by_start.size(); ++i) {
    if (overlap(hull, by_start[i].range)) return true;
    hull.end = std::max(hull.end, by_start[i].range.end);
  }
  return false;
}

/// When lanes last began together, by place among the windows; 0 where the trace does not tell.
std::vector<Nanoseconds> meetingsOf(const Trace& trace, const std::vector<StepWindow>& windows) {
  std::vector<Nanoseconds> meetings(windows.size(), 0);
  for (const Track& track : trace.tracks) {
    if (track.kind != Track::Kind::Step) continue;
    for (const Span& span : track.spans)
      if (const StepWindow* const window = find(windows, span.step))
        meetings[static_cast<std::size_t>(window - windows.data())] = span.mark;
  }
  return meetings;
}

/// Joins neighbours that no meeting parts: a lane that was late can begin a step after all others have ended the one
/// before.
std::vector<Stretch> joined(const std::vector<Stretch>& stretches, const std::vector<Nanoseconds>& meetings) {
  std::vector<Stretch> result;
  for (const Stretch& stretch : stretches) {
    const Nanoseconds meeting = meetings[stretch.first];
    if (result.empty() || meeting == 0 || meetings[stretch.first - 1] != meeting) {
      result.push_back(stretch);
      continue;
    }
    result.back().count += stretch.count;
    result.back().range.end = std::max(result.back().range.end, stretch.range.end);
  }
  return result;
}

}  // namespace

std::vector<Stretch> stretchesOf(const Trace& trace, const std::vector<StepWindow>& windows) {
  const int ended = lastEndedStep(trace);
  const bool mixed = areMixed(windows);
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const TimeRange range = windows[i].range;
    const bool together = i > 0 && (mixed || overlap(stretches.back().range, range) || windows[i - 1].step > ended);
    if (!together) {
      stretches.push_back({i, 1, range});
      continue;
    }
    Stretch& last = stretches.back();
    ++last.count;
    last.range = hullOf(last.range, range);
  }
  return stretches.size() < windows.size() ? joined(stretches, meetingsOf(trace, windows)) : stretches;
}

bool stepsOverlap(const Trace& trace) {
  const std::vector<StepWindow> windows = stepWindows(trace);
  return stretchesOf(trace, windows).size() < windows.size();
}

std::vector<std::vector<StepWindow>> laneSteps(const Trace& trace) {
  std::vector<StepHulls> hulls(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    for (std::size_t i = 0; i < track.spans.size();) {
      const Span span = track.spans[i];
      const bool of_step = beginsStep(span);
      if (of_step) hulls[static_cast<std::size_t>(track.lane)].add(span.step, span.range());
      i = of_step ? i + 1 : track.spans.categoryEnd(i);
    }
  }
  std::vector<std::vector<StepWindow>> lanes;
  for (StepHulls& lane : hulls) {
    std::vector<StepWindow>& steps = lanes.emplace_back();
    for (const auto& [step, range] : lane.hulls()) steps.push_back({step, range});
  }
  return lanes;
}

std::vector<StepWindow> periodsOf(const std::vector<StepWindow>& lane_steps, const std::vector<StepWindow>& windows,
                                  const std::vector<Stretch>& stretches) {
  std::vector<StepWindow> periods;
  for (const Stretch& stretch : stretches) {
    const std::size_t before = periods.size();
    addPeriods(lane_steps, windows, stretch, periods);
    if (periods.size() == before) addWindows(windows, stretch, periods);
  }
  return periods;
}

std::vector<std::vector<StepWindow>> lanePeriods(const Trace& trace) {
  const std::vector<StepWindow> windows = stepWindows(trace);
  const std::vector<Stretch> stretches = stretchesOf(trace, windows);
  std::vector<std::vector<StepWindow>> lanes = laneSteps(trace);
  for (std::vector<StepWindow>& lane : lanes) lane = periodsOf(lane, windows, stretches);
  return lanes;
}

std::vector<Nanoseconds> stepPeriods(const Trace& trace) {
  const std::vector<StepWindow> windows = stepWindows(trace);
  const std::vector<Stretch> stretches = stretchesOf(trace, windows);
  const bool overlap = stretches.size() < windows.size();
  const std::vector<std::vector<StepWindow>> lanes =
      overlap ? laneSteps(trace) : std::vector<std::vector<StepWindow>>();
  std::vector<Nanoseconds> periods;
  periods.reserve(windows.size());
  for (const Stretch& stretch : stretches) {
    Nanoseconds left = stretch.range.length();
    for (std::size_t i = stretch.first; i + 1 < stretch.first + stretch.count; ++i) {
      const StepWindow &step = windows[i], &next = windows[i + 1];
      Nanoseconds period = wayOf(lanes, step.step, next.step).valueOr(next.range.start - step.range.start);
      if (i == stretch.first) period += offsetOf(lanes, step.step, stretch.range.start).valueOr(0);
      periods.push_back(std::clamp<Nanoseconds>(period, 0, left));
      left -= periods.back();
    }
    periods.push_back(left);
  }
  return periods;
}

std::optional<Nanoseconds> meanStepPeriod(const Trace& trace) {
  const std::vector<Nanoseconds> periods = stepPeriods(trace);
  if (periods.empty()) return std::nullopt;
  return std::accumulate(periods.begin(), periods.end(), Nanoseconds{0}) / static_cast<Nanoseconds>(periods.size());
}

}  // namespace lanelab
