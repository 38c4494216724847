// SPDX-License-Identifier: GPL-3.0-only
// Collects spans while lanes run, and gives a Trace of what there is so far at any time.
//
// Threads: tracks, counters and names are added at any time, under a lock that no snapshot takes; append() and
// appendValue() are wait-free for ONE writer thread per track and per counter, apart from an allocation every 512
// spans or values; snapshot() may be called from any thread at any time and sees everything whose append has returned.
// Spans of a track may be appended in any order of start; snapshot() sorts. No span is dropped. What a lane is doing
// between two appends is published beside its track, wait-free too.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "profiler/trace/live_state.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Index of a track within its builder.
struct TrackIndex {
  std::uint32_t value = 0;
};

/// Index of a counter within its builder.
struct CounterIndex {
  std::uint32_t value = 0;
};

class TraceBuilder {
 public:
  TraceBuilder(std::string title, std::vector<LaneInfo> lanes, Origin origin = Origin::Measured);
  ~TraceBuilder();
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  void setExtent(Extent extent);                                      ///< before anything is recorded; Whole at first
  TrackIndex addTrack(int lane, Track::Kind kind, std::string name);  ///< any thread
  std::uint32_t intern(std::string_view name);      ///< any thread; takes a lock, so keep it off the hot path
  void append(TrackIndex track, const Span& span);  ///< the track's own writer thread
  /// The track's own writer thread: an action begins, of which all but end, mark and cpu are known.
  void begin(TrackIndex track, const Span& action);
  /// The track's own writer thread: no action is in progress.
  void setLive(TrackIndex track, Liveness liveness);
  CounterIndex addCounter(int lane, std::string name, std::string unit);  ///< any thread; lane -1: of the whole run
  /// The counter's own writer thread. A value that is not finite or that comes before the counter's last is left out.
  void appendValue(CounterIndex counter, Nanoseconds time, double value);
  void noteDropped(std::int64_t spans);  ///< any thread

  std::size_t bytes() const;      ///< any thread; memory of the spans, those of the last snapshot among them
  std::size_t spanCount() const;  ///< any thread; cheap, so that a poller knows whether anything is new
  std::shared_ptr<const Trace> snapshot() const;  ///< any thread
  /// The same with the actions in progress as spans that end at its time (Trace::live); any thread. Where no lane is
  /// live it is the snapshot itself.
  std::shared_ptr<const Trace> liveSnapshot() const;
  bool isLive() const;  ///< any thread; whether a lane is, so that each live snapshot differs from the one before

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// CLOCK_MONOTONIC in nanoseconds: the clock of every measured trace.
Nanoseconds monotonicNow();
/// How long the calling thread has had a core in its life. A call into the kernel, which costs some hundred
/// nanoseconds.
Nanoseconds threadCpuNow();

}  // namespace lanelab
