// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/derived_counters.h"

#include <algorithm>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kMostWindows = 16384;
constexpr Nanoseconds kWindowsAStep = 50;

/// The first of these that any span has is what counts as compute.
Category computeOf(const Trace& trace) {
  for (const Category category : {Category::Action, Category::Kernel})
    for (const Track& track : trace.tracks)
      if (std::ranges::find(track.spans, category, &Span::category) != track.spans.end()) return category;
  return Category::CpuOp;
}

std::vector<TimeRange> busyOf(const Trace& trace, int lane, Category compute) {
  std::vector<TimeRange> busy;
  for (const Track& track : trace.tracks) {
    if (track.lane != lane) continue;
    for (const Span& span : track.spans) {
      if (span.category == compute) busy.push_back(span.range());
    }
  }
  return unionOf(std::move(busy));
}

void append(Counter& counter, Nanoseconds time, double value) {
  if (!counter.values.empty() && counter.values.back() == value) return;
  if (!counter.times.empty() && counter.times.back() == time) {
    counter.values.back() = value;
    return;
  }
  counter.times.push_back(time);
  counter.values.push_back(value);
}

Counter percentCounter(int lane, const char* name) {
  Counter counter;
  counter.lane = lane;
  counter.name = name;
  counter.series = "%";
  return counter;
}

Counter utilisationOfLane(int lane, const std::vector<TimeRange>& busy, TimeRange whole, Nanoseconds window) {
  Counter counter = percentCounter(lane, kUtilisationCounter);
  auto piece = busy.begin();
  for (Nanoseconds start = whole.start; start < whole.end; start += window) {
    const TimeRange seen{start, std::min(start + window, whole.end)};
    Nanoseconds covered = 0;
    for (; piece != busy.end() && piece->start < seen.end; ++piece) {
      covered += intersection(*piece, seen).length();
      if (piece->end > seen.end) break;
    }
    append(counter, start, 100.0 * static_cast<double>(covered) / static_cast<double>(seen.length()));
  }
  append(counter, whole.end, 0);
  return counter;
}

}  // namespace

std::vector<Counter> utilisationCounters(const Trace& trace, Nanoseconds window) {
  std::vector<Counter> counters;
  const TimeRange whole = trace.range();
  if (window < 1 || whole.empty()) return counters;
  const Category compute = computeOf(trace);
  for (int lane = 0; lane < static_cast<int>(trace.lanes.size()); ++lane) {
    const std::vector<TimeRange> busy = busyOf(trace, lane, compute);
    if (!busy.empty()) counters.push_back(utilisationOfLane(lane, busy, whole, window));
  }
  return counters;
}

Nanoseconds utilisationWindow(const Trace& trace) {
  const Nanoseconds length = trace.range().length();
  std::vector<Nanoseconds> steps = stepPeriods(trace);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  if (!steps.empty()) std::nth_element(steps.begin(), middle, steps.end());
  const Nanoseconds course = (steps.empty() ? length / 8 : *middle) / kWindowsAStep;
  return std::max({course, length / kMostWindows + 1, Nanoseconds{1}});
}

Counter bubbleCounter(int lane, const std::vector<StepWindow>& steps, const std::vector<CausePiece>& pieces) {
  Counter counter = percentCounter(lane, kBubbleCounter);
  auto piece = pieces.begin();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepWindow& step = steps[i];
    Nanoseconds bubble = 0;
    for (; piece != pieces.end() && piece->range.start < step.range.end; ++piece) {
      if (piece->cause == Cause::Fill || piece->cause == Cause::Drain)
        bubble += intersection(piece->range, step.range).length();
      if (piece->range.end > step.range.end) break;
    }
    if (step.range.empty()) continue;
    append(counter, step.range.start, 100.0 * static_cast<double>(bubble) / static_cast<double>(step.range.length()));
    const bool goes_on = i + 1 < steps.size() && steps[i + 1].range.start - step.range.end <= step.range.length();
    if (!goes_on) append(counter, step.range.end, 0);
  }
  return counter;
}

}  // namespace lanelab
