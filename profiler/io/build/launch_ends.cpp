// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/import_builder.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace lanelab {

namespace {

struct Launch {
  std::int64_t correlation = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

/// Calls `visit(track, index, correlation)` for each span that has a correlation id.
template <class Visit>
void eachCorrelated(const ImportedTrace& imported, const Trace& trace, const Visit& visit) {
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    const std::vector<std::int64_t>& correlations = imported.rows[track].correlations;
    for (std::size_t i = 0; i < correlations.size(); ++i)
      if (correlations[i] > 0) visit(track, i, correlations[i]);
  }
}

std::vector<Launch> launchesOf(const ImportedTrace& imported, const Trace& trace) {
  std::vector<Launch> launches;
  eachCorrelated(imported, trace, [&](std::size_t track, std::size_t i, std::int64_t correlation) {
    const Span span = trace.tracks[track].spans[i];
    if (span.category == Category::Runtime) launches.push_back({correlation, span.start, span.end});
  });
  std::ranges::sort(launches, {}, [](const Launch& launch) { return std::pair(launch.correlation, launch.start); });
  return launches;
}

/// The end of the innermost call that is open at that time.
std::optional<Nanoseconds> callEndAt(const Track& track, Nanoseconds time) {
  constexpr int kDeepest = 64;
  std::size_t at = track.spans.firstAfter(time);
  for (int i = 0; i < kDeepest && at > 0; ++i) {
    const Span span = track.spans[--at];
    if (span.end >= time && span.category == Category::Runtime) return span.end;
  }
  return std::nullopt;
}

std::optional<std::size_t> workAt(const Track& track, Nanoseconds time) {
  constexpr std::size_t kDeepest = 64;
  const std::size_t first = track.spans.firstFrom(time);
  for (std::size_t at = first; at < std::min(first + kDeepest, track.spans.size()) && track.spans.startOf(at) == time;
       ++at)
    if (isGpuWork(track.spans[at].category)) return at;
  return std::nullopt;
}

/// New marks of a trace, collected so that each track is packed again once.
class LaunchMarks {
 public:
  LaunchMarks(const ImportedTrace& imported, Trace& trace)
      : m_imported(imported), m_trace(trace), m_marks(trace.tracks.size()) {}

  void byCorrelation() {
    const std::vector<Launch> launches = launchesOf(m_imported, m_trace);
    eachCorrelated(m_imported, m_trace, [&](std::size_t track, std::size_t i, std::int64_t correlation) {
      const Span span = m_trace.tracks[track].spans[i];
      if (!isGpuWork(span.category)) return;
      const auto begin = std::ranges::lower_bound(launches, correlation, {}, &Launch::correlation);
      const auto end = std::ranges::upper_bound(launches, correlation, {}, &Launch::correlation);
      if (begin == end) return;
      const auto later = std::upper_bound(begin, end, span.start,
                                          [](Nanoseconds time, const Launch& call) { return time < call.start; });
      of(track)[i] = (later == begin ? later : later - 1)->end;
    });
  }

  void byFlow() {
    std::optional<Nanoseconds> launched;
    std::uint32_t flow = 0;
    for (const ImportedFlowEnd& end : m_imported.flow_ends) {
      if (end.row >= m_trace.tracks.size()) continue;
      const Track& track = m_trace.tracks[end.row];
      if (end.phase == 's') {
        launched = callEndAt(track, end.time);
        flow = end.flow;
      } else if (launched && flow == end.flow) {
        const auto work = workAt(track, end.time);
        if (work && track.spans[*work].mark == 0 && of(end.row)[*work] == 0) of(end.row)[*work] = *launched;
      }
    }
  }

  /// After apply().
  std::int64_t kernelsWithoutLaunch() const {
    std::int64_t count = 0;
    const auto lacks = [](const Span& span) {
      return (span.category == Category::Kernel || span.category == Category::Communication) && span.mark == 0;
    };
    for (const Track& track : m_trace.tracks)
      if (track.kind == Track::Kind::Stream) count += std::count_if(track.spans.begin(), track.spans.end(), lacks);
    return count;
  }

  void apply() {
    for (std::size_t track = 0; track < m_marks.size(); ++track) {
      if (m_marks[track].empty()) continue;
      std::vector<Span> spans = m_trace.tracks[track].spans.toVector();
      for (std::size_t i = 0; i < spans.size(); ++i)
        if (m_marks[track][i] != 0) spans[i].mark = m_marks[track][i];
      m_trace.tracks[track].spans = spans;
    }
  }

 private:
  std::vector<Nanoseconds>& of(std::size_t track) {
    if (m_marks[track].empty()) m_marks[track].resize(m_trace.tracks[track].spans.size());
    return m_marks[track];
  }

  const ImportedTrace& m_imported;
  Trace& m_trace;
  std::vector<std::vector<Nanoseconds>> m_marks;  ///< by track: none, or one a span, 0 where the span keeps what it has
};

}  // namespace

std::int64_t setLaunchEnds(const ImportedTrace& imported, Trace& trace) {
  LaunchMarks marks(imported, trace);
  marks.byCorrelation();
  marks.byFlow();
  marks.apply();
  return marks.kernelsWithoutLaunch();
}

}  // namespace lanelab
