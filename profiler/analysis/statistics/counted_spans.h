// SPDX-License-Identifier: GPL-3.0-only
// Which spans statistics count, and how much of each: those of a whole trace, of one of its steps, or what is in a
// range of time.
//
// Steps are not counted, nor are waits for input, which no timeline draws. A span that begins before the
// range or ends after it counts with the part inside. A step counts the spans in its window that belong to it or to no
// step: in a trace of our own the window is one for all lanes, in one of another program each lane has its own, since
// GPUs work behind their hosts (profiler/analysis/imported_steps.h).
//
// Times are int64 nanoseconds. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "profiler/analysis/imported_lanes.h"
#include "profiler/analysis/span_search.h"
#include "profiler/analysis/statistics/span_grouping.h"

namespace lanelab {

/// What to count. Both may be given.
struct CountedPart {
  std::optional<TimeRange> range = {};
  std::optional<int> step = {};  ///< as files number it
  bool operator==(const CountedPart&) const = default;
};

/// The same, worked out for one trace.
struct CountedTimes {
  TimeRange window;  ///< of the trace, the step or the range, within the trace; of several windows the hull
  std::vector<TimeRange> tracks;  ///< by track; all time where nothing is cut, empty where nothing counts
  std::vector<TimeRange> lanes;   ///< by place in LanesOfWork, or without those by lane of the trace
  std::optional<int> step;
};

/// The lanes of a trace of another program (imported_lanes.h); none of a trace with actions of ours, and of one with
/// neither kernels nor operators: their lanes are those of the trace.
struct LanesOfWork {
  std::vector<ImportedLane> lanes;
  bool gpus = false;  ///< else threads
};
LanesOfWork lanesOfWork(const Trace& trace, const ImportedTrace* imported);

/// The numbers of the steps, ascending.
std::vector<int> stepNumbers(const Trace& trace);

/// Nothing if the trace does not have the step. `work`: lanesOfWork().
std::optional<CountedTimes> countedTimes(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                                         const CountedPart& part);

/// The windows of all steps, by start: those of a step are what countedTimes() has of it.
struct StepsOfTracks {
  std::vector<std::vector<StepWindow>> windows;
  std::vector<std::uint32_t> of_track;  ///< place in `windows`
  std::vector<std::uint32_t> of_lane;   ///< by place in LanesOfWork, or without those by lane of the trace
  bool own = false;                     ///< one window of a step for all lanes, as in traces of our own
};

/// n log n in the spans.
StepsOfTracks stepsOfTracks(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work);

struct CountedSpan {
  std::uint32_t track = 0;  ///< in Trace::tracks
  std::uint32_t index = 0;  ///< in Track::spans
  std::uint32_t key = SpanKeys::kNone;
  Nanoseconds start = 0;  ///< of all of it
  TimeRange range;        ///< what counts of it
  bool cut = false;
};

/// The tracks that make up one row, on which spans nest: actions with their blocks and operators, else one track alone.
using CountedRow = std::vector<std::uint32_t>;
std::vector<CountedRow> countedRows(const Trace& trace);

/// Goes over the counted spans of a row in order of their start, parents first.
class RowWalk {
 public:
  RowWalk(const Trace& trace, const CountedRow& row, const CountedTimes& times, const SpanKeys& keys);

  /// Nothing after the last one.
  std::optional<CountedSpan> next();

 private:
  static constexpr std::size_t kRead = 512;  ///< spans that are unpacked at once
  struct Reader {
    std::uint32_t track = 0;
    std::size_t at = 0;    ///< in the track
    std::size_t from = 0;  ///< of `spans`
    std::vector<Span> spans;
  };
  struct Open {
    Nanoseconds end = 0;
    std::uint32_t key = SpanKeys::kNone;
  };
  const Span* front(Reader& reader) const;
  Reader* earliest();

  const Trace& m_trace;
  const CountedTimes& m_times;
  const SpanKeys& m_keys;
  std::vector<Reader> m_readers;
  std::vector<Open> m_open;  ///< the innermost last
};

/// Spans by their names, or by those of their groups.
struct SpanFilter {
  std::vector<bool> names;  ///< by place in Trace::names
  std::vector<bool> keys;   ///< by key; the others are none of these

  bool holds(std::uint32_t name, std::uint32_t key) const { return names[name] || (key < keys.size() && keys[key]); }
};

/// The counted spans in order of time; of one key, and those that the filter holds, if these are given. Stopped: what
/// was found so far. n log n in what is found.
std::vector<SpanMatch> countedSpans(const Trace& trace, const CountedTimes& times, const SpanKeys& keys,
                                    std::optional<std::uint32_t> key, const SpanFilter* filter = nullptr,
                                    const std::stop_token& stop = {});

}  // namespace lanelab
