#include "profiler/io/launch_ends.h"

#include <algorithm>
#include <tuple>

namespace lanelab {

namespace {

struct Launch {
  std::int64_t correlation = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

bool isGpuWork(const Span& span) {
  return span.category == Category::Kernel || span.category == Category::Memcpy || span.category == Category::Memset;
}

/// Calls `visit(span, correlation)` for each span that has a correlation id.
template <class Visit>
void eachCorrelated(const ImportedTrace& imported, Trace& trace, const Visit& visit) {
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    const std::vector<std::int64_t>& correlations = imported.rows[track].correlations;
    for (std::size_t i = 0; i < correlations.size(); ++i)
      if (correlations[i] > 0) visit(trace.tracks[track].spans[i], correlations[i]);
  }
}

std::vector<Launch> launchesOf(const ImportedTrace& imported, Trace& trace) {
  std::vector<Launch> launches;
  eachCorrelated(imported, trace, [&](const Span& span, std::int64_t correlation) {
    if (span.category == Category::Runtime) launches.push_back({correlation, span.start, span.end});
  });
  std::sort(launches.begin(), launches.end(),
            [](const Launch& a, const Launch& b) { return std::tie(a.correlation, a.start) < std::tie(b.correlation, b.start); });
  return launches;
}

void markByCorrelation(const ImportedTrace& imported, Trace& trace) {
  const std::vector<Launch> launches = launchesOf(imported, trace);
  eachCorrelated(imported, trace, [&](Span& span, std::int64_t correlation) {
    if (!isGpuWork(span)) return;
    const auto [first, last] = std::equal_range(launches.begin(), launches.end(), Launch{correlation, 0, 0},
                                                [](const Launch& a, const Launch& b) { return a.correlation < b.correlation; });
    if (first == last) return;
    const auto later = std::upper_bound(first, last, span.start, [](Nanoseconds time, const Launch& launch) { return time < launch.start; });
    span.mark = (later == first ? first : later - 1)->end;
  });
}

/// The innermost call that is open at that time; null when none is.
const Span* callAt(const Track& track, Nanoseconds time) {
  constexpr int deepest = 64;
  auto at = std::upper_bound(track.spans.begin(), track.spans.end(), time, [](Nanoseconds t, const Span& span) { return t < span.start; });
  for (int i = 0; i < deepest && at != track.spans.begin(); ++i)
    if ((--at)->end >= time && at->category == Category::Runtime) return &*at;
  return nullptr;
}

Span* workAt(Track& track, Nanoseconds time) {
  auto at = std::lower_bound(track.spans.begin(), track.spans.end(), time, [](const Span& span, Nanoseconds t) { return span.start < t; });
  for (; at != track.spans.end() && at->start == time; ++at)
    if (isGpuWork(*at)) return &*at;
  return nullptr;
}

void markByFlow(const ImportedTrace& imported, Trace& trace) {
  const Span* call = nullptr;
  std::uint32_t flow = 0;
  for (const ImportedFlowEnd& end : imported.flow_ends) {
    if (end.row >= trace.tracks.size()) continue;
    if (end.phase == 's') {
      call = callAt(trace.tracks[end.row], end.time);
      flow = end.flow;
    } else if (call != nullptr && flow == end.flow) {
      Span* const work = workAt(trace.tracks[end.row], end.time);
      if (work != nullptr && work->mark == 0) work->mark = call->end;
    }
  }
}

}  // namespace

void setLaunchEnds(const ImportedTrace& imported, Trace& trace) {
  markByCorrelation(imported, trace);
  markByFlow(imported, trace);
}

}  // namespace lanelab
