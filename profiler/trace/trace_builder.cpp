// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/trace_builder.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "profiler/trace/append_log.h"
#include "profiler/trace/growing_table.h"
#include "profiler/trace/name_table.h"

namespace lanelab {

namespace {

Nanoseconds readClock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// What never changes of a track, and its log.
struct TrackLog {
  int lane = 0;
  Track::Kind kind = Track::Kind::Compute;
  std::string name;
  AppendLog<Span> spans;
  LiveState live;
};

static_assert(AppendLog<Span>::kChunkValues == SpanColumns::kChunkSpans, "so that a chunk of the log is packed whole");

struct CounterValue {
  Nanoseconds time;
  double value;
};

/// What never changes of a counter, and its log.
struct CounterLog {
  int lane = -1;
  std::string name, unit;
  AppendLog<CounterValue> values;
  Nanoseconds last = std::numeric_limits<Nanoseconds>::min();  ///< the writer's: time of its last value
};

/// Names by number. Reading takes no lock, so that a snapshot holds up nobody who interns.
class SharedNames {
 public:
  std::uint32_t indexOf(std::string_view name) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_index.find(name);
    if (found != m_index.end()) return found->second;
    const auto added = m_index.emplace(name, m_texts.size()).first;
    return m_texts.add(&added->first);
  }
  std::uint32_t size() const { return m_texts.size(); }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts(size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) texts[i] = *m_texts.at(i);
    return texts;
  }

 private:
  std::mutex m_mutex;
  TextMap<std::uint32_t> m_index;
  GrowingTable<const std::string*> m_texts;  ///< keys of the map, which never move
};

/// Appends the action in progress, unless it ended meanwhile.
void addLive(Track& track, const LiveState::Value& value, Nanoseconds now, Trace& trace) {
  const bool any = !track.spans.empty();
  LiveLane lane{track.lane, any ? track.spans.back().end : 0, std::nullopt};
  if (value.liveness == Liveness::Current) lane.until = std::max(lane.until, now);
  if (value.running && (!any || track.spans.back().start < value.action.start)) {
    Span action = value.action;
    action.mark = action.start;
    action.end = lane.until = std::max(lane.until, action.start + 1);
    track.spans.push_back(action);
    lane.running = action.start;
  }
  trace.live.push_back(lane);
}

}  // namespace

struct TraceBuilder::State {
  std::string title;
  std::vector<LaneInfo> lanes;
  Origin origin;
  Extent extent = Extent::Whole;
  Nanoseconds epoch = 0;
  std::mutex adding;  ///< of tracks and counters; a snapshot never holds it
  GrowingTable<std::unique_ptr<TrackLog>> tracks;
  GrowingTable<std::unique_ptr<CounterLog>> counters;
  SharedNames names;
  std::atomic<std::int64_t> dropped{0};

  mutable std::mutex snapshots;  ///< guards `last`, and makes the caller the one reader of the logs
  mutable std::shared_ptr<const Trace> last;

  bool hasAllValues(const Trace& trace) const {
    for (std::uint32_t i = 0; i < trace.counters.size(); ++i)
      if (trace.counters[i].times.size() != counters.at(i)->values.size()) return false;
    return trace.counters.size() == counters.size();
  }
  bool isCurrent(const Trace& trace, std::size_t spans) const {
    return trace.spanCount() == spans && hasAllValues(trace) && trace.tracks.size() == tracks.size() &&
           trace.dropped == dropped.load() && trace.names.size() == names.size();
  }
  Track copyTrack(std::uint32_t index, const Track* before) const;
  Counter copyCounter(std::uint32_t index, const Counter* before) const;
};

/// The sorted spans of the last snapshot, whose chunks are shared, plus what came since, taken out of the log: a poller
/// pays for what is new, and no span stands twice.
Track TraceBuilder::State::copyTrack(std::uint32_t index, const Track* before) const {
  TrackLog& log = *tracks.at(index);
  Track track{log.lane, log.kind, log.name, before == nullptr ? SpanColumns() : before->spans};
  log.spans.takeAll([&](std::vector<Span>& fresh) {
    if (!std::ranges::is_sorted(fresh, kParentsFirst)) std::ranges::stable_sort(fresh, kParentsFirst);
    track.spans.merge(fresh);
  });
  return track;
}

/// The values of the last snapshot plus what came since, taken out of the log.
Counter TraceBuilder::State::copyCounter(std::uint32_t index, const Counter* before) const {
  CounterLog& log = *counters.at(index);
  Counter counter;
  counter.lane = log.lane;
  counter.name = log.name;
  counter.series = log.unit;
  const std::size_t count = log.values.size();
  counter.times.reserve(count);
  counter.values.reserve(count);
  if (before != nullptr) {
    counter.times = before->times;
    counter.values = before->values;
  }
  log.values.takeAll([&](const std::vector<CounterValue>& fresh) {
    for (const CounterValue& one : fresh) {
      counter.times.push_back(one.time);
      counter.values.push_back(one.value);
    }
  });
  return counter;
}

TraceBuilder::TraceBuilder(std::string title, std::vector<LaneInfo> lanes, Origin origin)
    : m_state(std::make_unique<State>()) {
  m_state->title = std::move(title);
  m_state->lanes = std::move(lanes);
  m_state->origin = origin;
  if (origin == Origin::Measured) m_state->epoch = readClock(CLOCK_REALTIME) - monotonicNow();
}

TraceBuilder::~TraceBuilder() = default;

void TraceBuilder::setExtent(Extent extent) { m_state->extent = extent; }

TrackIndex TraceBuilder::addTrack(int lane, Track::Kind kind, std::string name) {
  auto track = std::make_unique<TrackLog>();
  track->lane = lane;
  track->kind = kind;
  track->name = std::move(name);
  const std::lock_guard lock(m_state->adding);
  return {m_state->tracks.add(std::move(track))};
}

std::uint32_t TraceBuilder::intern(std::string_view name) { return m_state->names.indexOf(name); }

void TraceBuilder::append(TrackIndex track, const Span& span) { m_state->tracks.at(track.value)->spans.append(span); }

void TraceBuilder::begin(TrackIndex track, const Span& action) { m_state->tracks.at(track.value)->live.begin(action); }

void TraceBuilder::setLive(TrackIndex track, Liveness liveness) { m_state->tracks.at(track.value)->live.set(liveness); }

CounterIndex TraceBuilder::addCounter(int lane, std::string name, std::string unit) {
  auto counter = std::make_unique<CounterLog>();
  counter->lane = lane;
  counter->name = std::move(name);
  counter->unit = std::move(unit);
  const std::lock_guard lock(m_state->adding);
  return {m_state->counters.add(std::move(counter))};
}

void TraceBuilder::appendValue(CounterIndex index, Nanoseconds time, double value) {
  CounterLog& counter = *m_state->counters.at(index.value);
  if (!std::isfinite(value) || time < counter.last) return;
  counter.last = time;
  counter.values.append({time, value});
}

void TraceBuilder::noteDropped(std::int64_t spans) { m_state->dropped.fetch_add(spans, std::memory_order_relaxed); }

std::size_t TraceBuilder::spanCount() const {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) count += m_state->tracks.at(i)->spans.size();
  return count;
}

std::size_t TraceBuilder::bytes() const {
  const std::lock_guard lock(m_state->snapshots);
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) bytes += m_state->tracks.at(i)->spans.bytes();
  if (m_state->last)
    for (const Track& track : m_state->last->tracks) bytes += track.spans.bytes();
  return bytes;
}

std::shared_ptr<const Trace> TraceBuilder::snapshot() const {
  const std::lock_guard lock(m_state->snapshots);
  const std::shared_ptr<const Trace> last = m_state->last;
  if (last && m_state->isCurrent(*last, spanCount())) return last;

  auto trace = std::make_shared<Trace>();
  trace->title = m_state->title;
  trace->origin = m_state->origin;
  trace->extent = m_state->extent;
  trace->epoch = m_state->epoch;
  trace->lanes = m_state->lanes;
  trace->dropped = m_state->dropped.load(std::memory_order_relaxed);
  const std::uint32_t tracks = m_state->tracks.size();
  trace->tracks.reserve(tracks);
  for (std::uint32_t i = 0; i < tracks; ++i)
    trace->tracks.push_back(m_state->copyTrack(i, last && i < last->tracks.size() ? &last->tracks[i] : nullptr));
  const std::uint32_t counters = m_state->counters.size();
  trace->counters.reserve(counters);
  for (std::uint32_t i = 0; i < counters; ++i)
    trace->counters.push_back(
        m_state->copyCounter(i, last && i < last->counters.size() ? &last->counters[i] : nullptr));
  // After the spans: whatever name a copied span has was interned before it.
  trace->names = m_state->names.texts();
  m_state->last = trace;
  return trace;
}

bool TraceBuilder::isLive() const {
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i)
    if (m_state->tracks.at(i)->live.read().liveness != Liveness::Ended) return true;
  return false;
}

/// What runs is read before the spans: an action that ends in between is then in both, and the span counts.
std::shared_ptr<const Trace> TraceBuilder::liveSnapshot() const {
  std::vector<std::pair<std::size_t, LiveState::Value>> live;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) {
    const LiveState::Value value = m_state->tracks.at(i)->live.read();
    if (value.liveness != Liveness::Ended) live.emplace_back(i, value);
  }
  const Nanoseconds now = monotonicNow();
  std::shared_ptr<const Trace> ended = snapshot();
  if (live.empty()) return ended;
  const auto trace = std::make_shared<Trace>(*ended);
  for (const auto& [track, value] : live) addLive(trace->tracks[track], value, now, *trace);
  return trace;
}

Nanoseconds monotonicNow() { return readClock(CLOCK_MONOTONIC); }

Nanoseconds threadCpuNow() { return readClock(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace lanelab
