// SPDX-License-Identifier: GPL-3.0-only
// A Trace is what lanes did, planned or measured: tracks of spans on one clock. Immutable once built; share it as
// shared_ptr<const Trace>.
//
// Times are int64 nanoseconds on one monotonic clock, ranges are half-open [start, end). Only spans of category Action
// are compute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/span.h"
#include "profiler/trace/span_columns.h"

namespace lanelab {

/// A row of a lane.
struct Track {
  enum class Kind : std::uint8_t { Compute, Detail, Transfer, Host, Stream, Step };
  int lane = 0;
  Kind kind = Kind::Compute;
  std::string name;
  SpanColumns spans;  ///< sorted by start, the longer first, so that a parent goes before what it contains
};

/// One number that changes over time: memory, loss. It keeps each value until the next.
struct Counter {
  int lane = -1;              ///< -1: of the whole run, or of none of the lanes
  std::uint32_t process = 0;  ///< place in ImportedTrace::processes; means nothing in a trace of our own
  std::string name;
  std::string series;       ///< the number's key within the counter; in our own traces its unit: "bytes", "%", "loss"
  std::uint16_t label = 0;  ///< from 1: place in Trace::labels
  std::vector<Nanoseconds> times;  ///< ascending
  std::vector<double> values;      ///< as many, finite
};

struct LaneInfo {
  std::string name;    ///< as the person named it; default its device
  std::string device;  ///< "cpu:0", "cuda:0", "cuda:0/sm:32"
};

/// Where a number comes from; every picture and table says it.
enum class Origin : std::uint8_t { Measured, Replayed, Predicted };

/// What a measured trace is of; only whole repeats count.
enum class Extent : std::uint8_t {
  Whole,
  Unfinished,  ///< of a repeat that is in progress, or did not end
  WarmUp
};

/// What the name of an action has behind it when an error ended the action.
inline constexpr std::string_view kFailedSuffix = " failed";

/// How far a lane is known while its recording is in progress.
struct LiveLane {
  int lane = 0;
  Nanoseconds until = 0;  ///< what the lane did later is not known yet
  /// When the action in progress began. It is the last span of the lane's compute track, and so far it ends at `until`.
  std::optional<Nanoseconds> running;
};

struct Trace {
  std::string title;  ///< the variant's name
  Origin origin = Origin::Measured;
  Extent extent = Extent::Whole;
  Nanoseconds epoch = 0;  ///< Unix time in ns of the clock's zero, 0 when unknown
  std::vector<LaneInfo> lanes;
  std::vector<Track> tracks;  ///< several a lane; Kind::Step once, on lane 0
  std::vector<Counter> counters;
  std::vector<std::string> names;
  std::vector<std::string> labels;  ///< categories of imported traces, by Span::label - 1
  std::int64_t dropped = 0;         ///< spans that were lost
  std::vector<LiveLane> live;       ///< by lane, while actions are recorded; empty in a trace that is complete

  /// Null where there is none, as of -1.
  const LaneInfo* laneAt(int lane) const {
    const auto place = static_cast<std::size_t>(lane);
    return lane >= 0 && place < lanes.size() ? &lanes[place] : nullptr;
  }
  const std::string& nameOf(const Span& span) const { return names[span.name]; }
  /// The `cat` of the span: its label, or the text of its category.
  std::string_view categoryNameOf(const Span& span) const {
    return span.label == 0 ? toString(span.category) : labels[span.label - 1];
  }
  /// Whether the span is an action that an error ended: on its lane's compute track, of category Other, named "1B2
  /// failed". No sum of compute counts it.
  bool failed(const Span& span) const;
  /// Null in a complete trace, and of a lane that records no actions.
  const LiveLane* liveLane(int lane) const;
  /// Whether the span of the lane's compute track is the action in progress.
  bool running(int lane, const Span& span) const;
  TimeRange range() const;  ///< hull of all spans; empty range when there are none
  std::size_t spanCount() const;
};

/// Of each lane whether it takes part: it has rows besides those of steps, as every lane has that a variant names. In
/// use are all where none has.
std::vector<bool> lanesInUse(const Trace& trace);

/// The step windows of a trace by step number: the Step span of the step, or where it has none (yet), its first
/// action's start to its last action's end.
struct StepWindow {
  int step = 0;
  TimeRange range;
};
std::vector<StepWindow> stepWindows(const Trace& trace);
/// The number of a step for readers, who count from 1, where spans and files count from 0. Steps of other programs'
/// traces keep their numbers.
int shownStep(const Trace& trace, int step);
/// Whether its last steps may not have ended: it is recorded right now, or its repeat was cancelled or failed.
bool mayBeCut(const Trace& trace);
/// Whether the step has not ended: the trace may be cut, and the step has no Step span.
bool inProgress(const Trace& trace, int step);

}  // namespace lanelab
