// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/trace_builder.h"

#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "profiler/trace/name_table.h"

namespace lanelab {

namespace {

Nanoseconds readClock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<Nanoseconds>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// A log of spans in chunks that never move: one writer thread appends, one reader at a time takes what came since and
/// frees what it has taken whole.
///
/// The writer publishes each span by a release store of the count; a reader that loads the count sees all spans below
/// it, and that the writer has left every chunk before the last of them. So neither side waits for the other.
class SpanLog {
 public:
  SpanLog() = default;
  ~SpanLog() {
    for (Chunk* chunk = m_reading != nullptr ? m_reading : m_first.load(std::memory_order_relaxed); chunk != nullptr;) {
      Chunk* const next = chunk->next;
      delete chunk;
      chunk = next;
    }
  }

  SpanLog(const SpanLog&) = delete;
  SpanLog& operator=(const SpanLog&) = delete;

  /// The writer thread.
  void append(const Span& span) {
    const std::size_t count = m_count.load(std::memory_order_relaxed);
    if (count % kChunkSpans == 0) grow();
    ::new (static_cast<void*>(m_last->storage + (count % kChunkSpans) * sizeof(Span))) Span(span);
    m_count.store(count + 1, std::memory_order_release);
  }

  /// Any thread; of all that was ever appended.
  std::size_t size() const { return m_count.load(std::memory_order_acquire); }
  /// The reader: puts the next spans into `out`, a chunk of them at most; none when it has all that size() counted when
  /// it began.
  bool take(std::vector<Span>& out) {
    const std::size_t count = size();
    out.clear();
    if (m_taken == count) return false;
    if (m_reading == nullptr) {
      m_reading = m_first.load(std::memory_order_relaxed);
    } else if (m_taken % kChunkSpans == 0) {
      Chunk* const next = m_reading->next;
      delete m_reading;
      m_reading = next;
    }
    const std::size_t first = m_taken % kChunkSpans;
    const std::size_t last = std::min(kChunkSpans, first + (count - m_taken));
    out.assign(m_reading->at(first), m_reading->at(0) + last);
    m_taken += last - first;
    return true;
  }

  /// The reader; memory of what the log still holds
  std::size_t bytes() const {
    const std::size_t made = (size() + kChunkSpans - 1) / kChunkSpans;
    const std::size_t freed = m_taken == 0 ? 0 : (m_taken - 1) / kChunkSpans;
    return sizeof *this + (made - freed) * sizeof(Chunk);
  }

 private:
  static constexpr std::size_t kChunkSpans = SpanColumns::kChunkSpans;
  struct Chunk {
    Chunk* next = nullptr;  ///< set before the first span behind it is published
    alignas(Span) std::byte storage[kChunkSpans * sizeof(Span)];
    Span* at(std::size_t index) { return std::launder(reinterpret_cast<Span*>(storage)) + index; }
  };

  void grow() {
    // Default-initialised on purpose: zeroing 24 KiB would show up as a pause of the writer.
    Chunk* const chunk = new Chunk;
    if (m_last == nullptr) {
      m_first.store(chunk, std::memory_order_relaxed);
    } else {
      m_last->next = chunk;
    }
    m_last = chunk;
  }

  std::atomic<Chunk*> m_first{nullptr};  ///< the very first, which the reader may have freed since
  Chunk* m_last = nullptr;               ///< the writer's
  std::atomic<std::size_t> m_count{0};
  Chunk* m_reading = nullptr;  ///< the reader's, as what follows; null until it took something
  std::size_t m_taken = 0;
};

/// What never changes of a track, and its log.
struct TrackLog {
  int lane = 0;
  Track::Kind kind = Track::Kind::Compute;
  std::string name;
  SpanLog spans;
  LiveState live;
};

/// A growing table whose entries never move: block b holds 16 << b entries, so a lookup takes no lock.
class TrackTable {
 public:
  ~TrackTable() {
    for (std::uint32_t i = 0; i < size(); ++i) delete &at(i);
    for (auto& block : m_blocks) delete[] block.load(std::memory_order_relaxed);
  }

  std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
  TrackLog& at(std::uint32_t index) const {
    const Place place = placeOf(index);
    return *m_blocks[place.block].load(std::memory_order_acquire)[place.entry];
  }
  /// One caller at a time.
  std::uint32_t add(std::unique_ptr<TrackLog> track) {
    const std::uint32_t index = m_size.load(std::memory_order_relaxed);
    const Place place = placeOf(index);
    if (place.entry == 0)
      m_blocks[place.block].store(new TrackLog*[std::size_t{kFirstBlock} << place.block], std::memory_order_release);
    m_blocks[place.block].load(std::memory_order_relaxed)[place.entry] = track.release();
    m_size.store(index + 1, std::memory_order_release);
    return index;
  }

 private:
  static constexpr std::uint32_t kFirstBlock = 16;
  struct Place {
    std::uint32_t block;
    std::uint32_t entry;
  };
  static Place placeOf(std::uint32_t index) {
    const auto block = static_cast<std::uint32_t>(std::bit_width(index / kFirstBlock + 1) - 1);
    return {block, index - kFirstBlock * ((1U << block) - 1)};
  }

  std::array<std::atomic<TrackLog**>, 27> m_blocks{};
  std::atomic<std::uint32_t> m_size{0};
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
  Nanoseconds epoch = 0;
  TrackTable tracks;
  std::atomic<std::int64_t> dropped{0};

  std::mutex entries;  ///< guards adding tracks, and the names
  NameTable names;

  std::mutex values;  ///< guards `counters`
  std::vector<Counter> counters;
  std::atomic<std::size_t> value_count{0};  ///< of all counters, and the counters themselves

  mutable std::mutex snapshots;  ///< guards `last`; never held by a writer
  mutable std::shared_ptr<const Trace> last;
  std::size_t last_values = 0;  ///< value_count before `last` was made

  std::size_t nameCount() {
    const std::lock_guard lock(entries);
    return names.size();
  }
  std::vector<Counter> copyCounters() {
    const std::lock_guard lock(values);
    return counters;
  }
  bool isCurrent(const Trace& trace, std::size_t spans) {
    return trace.spanCount() == spans && last_values == value_count.load() && trace.tracks.size() == tracks.size() &&
           trace.dropped == dropped.load() && trace.names.size() == nameCount();
  }
  Track copyTrack(std::uint32_t index, const Track* before) const;
};

/// The sorted spans of the last snapshot, whose chunks are shared, plus what came since, taken out of the log: a poller
/// pays for what is new, and no span stands twice. A writer that is faster than this does not keep it for ever.
Track TraceBuilder::State::copyTrack(std::uint32_t index, const Track* before) const {
  TrackLog& log = tracks.at(index);
  Track track{log.lane, log.kind, log.name, before == nullptr ? SpanColumns() : before->spans};
  std::vector<Span> fresh;
  for (std::size_t open = log.spans.size() - track.spans.size(); open > 0 && log.spans.take(fresh);
       open -= std::min(open, fresh.size())) {
    if (!std::ranges::is_sorted(fresh, kParentsFirst)) std::ranges::stable_sort(fresh, kParentsFirst);
    track.spans.merge(fresh);
  }
  return track;
}

TraceBuilder::TraceBuilder(std::string title, std::vector<LaneInfo> lanes, Origin origin)
    : m_state(std::make_unique<State>()) {
  m_state->title = std::move(title);
  m_state->lanes = std::move(lanes);
  m_state->origin = origin;
  if (origin == Origin::Measured) m_state->epoch = readClock(CLOCK_REALTIME) - monotonicNow();
}

TraceBuilder::~TraceBuilder() = default;

TrackIndex TraceBuilder::addTrack(int lane, Track::Kind kind, std::string name) {
  auto track = std::make_unique<TrackLog>();
  track->lane = lane;
  track->kind = kind;
  track->name = std::move(name);
  const std::lock_guard lock(m_state->entries);
  return {m_state->tracks.add(std::move(track))};
}

std::uint32_t TraceBuilder::intern(std::string_view name) {
  const std::lock_guard lock(m_state->entries);
  return m_state->names.indexOf(name);
}

void TraceBuilder::append(TrackIndex track, const Span& span) { m_state->tracks.at(track.value).spans.append(span); }

void TraceBuilder::begin(TrackIndex track, const Span& action) { m_state->tracks.at(track.value).live.begin(action); }

void TraceBuilder::setLive(TrackIndex track, Liveness liveness) { m_state->tracks.at(track.value).live.set(liveness); }

CounterIndex TraceBuilder::addCounter(int lane, std::string name, std::string unit) {
  Counter counter;
  counter.lane = lane;
  counter.name = std::move(name);
  counter.series = std::move(unit);
  const std::lock_guard lock(m_state->values);
  m_state->counters.push_back(std::move(counter));
  ++m_state->value_count;
  return {static_cast<std::uint32_t>(m_state->counters.size() - 1)};
}

void TraceBuilder::appendValue(CounterIndex index, Nanoseconds time, double value) {
  if (!std::isfinite(value)) return;
  const std::lock_guard lock(m_state->values);
  Counter& counter = m_state->counters[index.value];
  if (!counter.times.empty() && time < counter.times.back()) return;
  counter.times.push_back(time);
  counter.values.push_back(value);
  ++m_state->value_count;
}

void TraceBuilder::noteDropped(std::int64_t spans) { m_state->dropped.fetch_add(spans, std::memory_order_relaxed); }

std::size_t TraceBuilder::spanCount() const {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) count += m_state->tracks.at(i).spans.size();
  return count;
}

std::size_t TraceBuilder::bytes() const {
  const std::lock_guard lock(m_state->snapshots);
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) bytes += m_state->tracks.at(i).spans.bytes();
  if (m_state->last)
    for (const Track& track : m_state->last->tracks) bytes += track.spans.bytes();
  return bytes;
}

std::shared_ptr<const Trace> TraceBuilder::snapshot() const {
  const std::lock_guard lock(m_state->snapshots);
  const std::shared_ptr<const Trace> last = m_state->last;
  if (last && m_state->isCurrent(*last, spanCount())) return last;

  m_state->last_values = m_state->value_count.load();
  auto trace = std::make_shared<Trace>();
  trace->title = m_state->title;
  trace->origin = m_state->origin;
  trace->epoch = m_state->epoch;
  trace->lanes = m_state->lanes;
  trace->dropped = m_state->dropped.load(std::memory_order_relaxed);
  trace->counters = m_state->copyCounters();
  const std::uint32_t tracks = m_state->tracks.size();
  trace->tracks.reserve(tracks);
  for (std::uint32_t i = 0; i < tracks; ++i)
    trace->tracks.push_back(m_state->copyTrack(i, last && i < last->tracks.size() ? &last->tracks[i] : nullptr));
  {
    // After the spans: whatever name a copied span has was interned before it.
    const std::lock_guard names(m_state->entries);
    trace->names = m_state->names.texts();
  }
  m_state->last = trace;
  return trace;
}

bool TraceBuilder::isLive() const {
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i)
    if (m_state->tracks.at(i).live.read().liveness != Liveness::Ended) return true;
  return false;
}

/// What runs is read before the spans: an action that ends in between is then in both, and the span counts.
std::shared_ptr<const Trace> TraceBuilder::liveSnapshot() const {
  std::vector<std::pair<std::size_t, LiveState::Value>> live;
  for (std::uint32_t i = 0; i < m_state->tracks.size(); ++i) {
    const LiveState::Value value = m_state->tracks.at(i).live.read();
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
