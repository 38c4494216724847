// SPDX-License-Identifier: GPL-3.0-only
// Puts decoded activity into a trace: which track, which name, which time, and whose work it was.
//
// Work of a device lies on the row of its stream. Its owner is the action whose id was pushed around the launch call,
// else the action during which the launching thread made that call. A launch call may be known later than its kernel,
// so a kernel without one waits for some rounds. Synchronisation is time of the host and would hide kernels, so it has
// a row beside its stream's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/collect/cupti/clock_pairing.h"
#include "profiler/collect/cupti/cupti_collector.h"
#include "profiler/collect/launch_log.h"
#include "profiler/trace/communication.h"

namespace lanelab {

/// Thread: one at a time; it is the only writer of the tracks that it adds.
class ActivitySink {
 public:
  /// `builder`, `options` and `decoder` must outlive the sink. `run` is that of the ids that count; without `calls`
  /// nothing waits for a launch call.
  ActivitySink(TraceBuilder& builder, const CuptiOptions& options, const CuptiDecoder& decoder, std::uint8_t run,
               bool calls)
      : m_builder(builder), m_options(options), m_decoder(decoder), m_run(run), m_calls(calls) {}

  void add(const std::vector<RawActivity>& activities, const ClockPairing& clock, const LaunchOwners& owners) {
    const Round round{clock, owners};
    retry(round);
    for (const RawActivity& activity : activities) {
      if (awaitsLaunch(activity) && m_waiting.size() < kMostWaiting) {
        m_waiting.push_back({activity, 0});
      } else {
        place(activity, round);
      }
    }
  }
  /// What still waits goes to its row without an owner.
  void finish(const ClockPairing& clock, const LaunchOwners& owners) {
    for (const Waiting& waiting : std::exchange(m_waiting, {})) place(waiting.activity, {clock, owners});
  }

  /// The sink's share: what was placed and what was not.
  const GpuActivity& counts() const { return m_counts; }

 private:
  static constexpr std::size_t kMostWaiting = std::size_t{1} << 16U;
  enum class Row : std::uint8_t { Stream, Sync, Calls, Overhead, Upkeep };
  struct RowKey {
    int lane = 0;
    Row row = Row::Stream;
    std::uint32_t number = 0;  ///< of the stream or thread
    std::uint32_t context = 0;
    bool operator==(const RowKey&) const = default;
    auto operator<=>(const RowKey&) const = default;
  };
  struct Waiting {
    RawActivity activity;
    int rounds = 0;
  };
  /// What a round of add() works with.
  struct Round {
    const ClockPairing& clock;
    const LaunchOwners& owners;
  };

  static Category categoryOf(RawActivity::Kind kind) {
    switch (kind) {
      case RawActivity::Kind::Kernel: return Category::Kernel;
      case RawActivity::Kind::Memcpy:
      case RawActivity::Kind::PeerCopy: return Category::Memcpy;
      case RawActivity::Kind::Memset: return Category::Memset;
      case RawActivity::Kind::Synchronization: return Category::Sync;
      case RawActivity::Kind::RuntimeCall:
      case RawActivity::Kind::DriverCall: return Category::Runtime;
      case RawActivity::Kind::Overhead: return Category::Profiler;
      case RawActivity::Kind::Upkeep: return Category::Host;
    }
    return Category::Other;
  }
  const LaunchCall* launchOf(const RawActivity& activity) const {
    return m_decoder.launches().find(activity.correlation);
  }
  bool awaitsLaunch(const RawActivity& activity) const {
    if (!m_calls || !activity.isDeviceWork() || activity.correlation == 0) return false;
    const LaunchCall* const launch = launchOf(activity);
    return launch == nullptr || !launch->known();
  }
  void retry(const Round& round) {
    std::size_t kept = 0;
    for (Waiting& waiting : m_waiting) {
      if (awaitsLaunch(waiting.activity) && ++waiting.rounds < m_options.rounds_for_launch) {
        m_waiting[kept++] = waiting;
      } else {
        place(waiting.activity, round);
      }
    }
    m_waiting.resize(kept);
  }

  void place(const RawActivity& activity, const Round& round) {
    if (activity.isCall() && !m_options.call_rows) return;
    const LaunchCall* const launch = launchOf(activity);
    const LaunchOwner owner = ownerOf(activity, launch, round);
    const int lane = laneOf(activity, launch, owner, round);
    // Streams of other programs' parts in this process are nobody's; work that an action of ours launched is never
    // lost.
    if (activity.kind == RawActivity::Kind::Kernel && lane < 0) ++m_counts.unattributed;
    if (lane < 0) return;
    count(activity, owner.lane >= 0);
    checkOrder(activity, launch);
    Span span;
    span.start = round.clock.toOurs(activity.start);
    // Rounding between two samples must not turn a span around.
    span.end = std::max(span.start, round.clock.toOurs(activity.end));
    if (activity.isDeviceWork() && launch != nullptr && launch->known()) span.mark = round.clock.toOurs(launch->end);
    span.category = activity.kind == RawActivity::Kind::Kernel && communicates(activity.name)
                        ? Category::Communication
                        : categoryOf(activity.kind);
    span.name = nameOf(activity.name);
    span.step = owner.step;
    span.stage = owner.stage;
    span.micro_batch = owner.micro_batch;
    span.phase = owner.phase;
    m_builder.append(trackOf(rowOf(activity, lane)), span);
  }

  void count(const RawActivity& activity, bool owned) {
    switch (activity.kind) {
      case RawActivity::Kind::Kernel:
        ++m_counts.kernels;
        m_counts.unattributed += !owned;
        break;
      case RawActivity::Kind::Memcpy:
      case RawActivity::Kind::PeerCopy: ++m_counts.copies; break;
      case RawActivity::Kind::Memset: ++m_counts.memsets; break;
      case RawActivity::Kind::Overhead: m_counts.overhead += activity.end - activity.start; break;
      default: break;
    }
    m_counts.graph_nodes += activity.isDeviceWork() && activity.graph_node != 0;
  }

  /// Both times are of CUPTI, which brings the device's clock onto the host's.
  void checkOrder(const RawActivity& activity, const LaunchCall* launch) {
    m_counts.before_launch += activity.kind == RawActivity::Kind::Kernel && launch != nullptr && launch->known() &&
                              activity.start < launch->start;
  }
  LaunchOwner ownerOf(const RawActivity& activity, const LaunchCall* launch, const Round& round) const {
    if (launch != nullptr) {
      const auto identified = lanelab::ownerOf(launch->external_id);
      if (identified && identified->run == m_run) return identified->owner;
    }
    const bool called = launch != nullptr && launch->known();
    if (!called && activity.thread == RawActivity::kNone) return {};
    const LaunchOwner* const owner = round.owners.at(called ? launch->thread : activity.thread,
                                                     round.clock.toOurs(called ? launch->start : activity.start));
    return owner != nullptr ? *owner : LaunchOwner{};
  }

  /// Work of a device is drawn where its stream belongs, a host's time where its thread does; where that is not known,
  /// with its owner.
  int laneOf(const RawActivity& activity, const LaunchCall* launch, const LaunchOwner& owner, const Round& round) {
    int lane = -1;
    if (activity.isDeviceWork()) {
      lane = laneOfStream({activity.context, activity.stream});
    } else if (activity.thread != RawActivity::kNone) {
      lane = round.owners.laneOf(activity.thread);
    } else if (launch != nullptr && launch->known()) {
      lane = round.owners.laneOf(launch->thread);
    }
    if (lane < 0) lane = owner.lane;
    if (lane < 0 && !activity.isDeviceWork() && activity.stream != RawActivity::kNone)
      lane = laneOfStream({activity.context, activity.stream});
    return lane;
  }
  /// All streams of a green context are of the lane that has the context.
  int laneOfStream(const CudaStream& stream) {
    const std::uint64_t key = static_cast<std::uint64_t>(stream.context) << 32U | stream.stream;
    const auto known = m_streams.find(key);
    if (known != m_streams.end()) return known->second;
    int lane = m_options.lane_of_stream ? m_options.lane_of_stream(stream) : -1;
    const bool green = m_decoder.greenContexts().contains(stream.context);
    if (lane < 0 && green && m_options.lane_of_context) lane = m_options.lane_of_context(stream.context);
    if (lane >= 0) m_streams.emplace(key, lane);
    return lane;
  }

  static RowKey rowOf(const RawActivity& activity, int lane) {
    switch (activity.kind) {
      case RawActivity::Kind::Synchronization: return {lane, Row::Sync, activity.stream, activity.context};
      case RawActivity::Kind::Overhead: return {lane, Row::Overhead, 0, 0};  // one row a lane
      case RawActivity::Kind::Upkeep: return {lane, Row::Upkeep, 0, 0};
      case RawActivity::Kind::RuntimeCall:
      case RawActivity::Kind::DriverCall: return {lane, Row::Calls, activity.thread, 0};
      default: return {lane, Row::Stream, activity.stream, activity.context};
    }
  }

  TrackIndex trackOf(const RowKey& key) {
    if (key == m_last_key) return m_last_track;
    const auto found = m_tracks.find(key);
    m_last_track = found != m_tracks.end() ? found->second : m_tracks.emplace(key, addTrack(key)).first->second;
    m_last_key = key;
    return m_last_track;
  }

  TrackIndex addTrack(const RowKey& key) {
    const std::string number = std::to_string(key.number);
    const auto slice = m_decoder.greenContexts().find(key.context);
    std::string stream = "stream " + number;
    if (slice != m_decoder.greenContexts().end()) stream += " on " + std::to_string(slice->second) + " multiprocessors";
    switch (key.row) {
      case Row::Stream: return m_builder.addTrack(key.lane, Track::Kind::Stream, stream);
      case Row::Sync:
        return m_builder.addTrack(key.lane, Track::Kind::Stream,
                                  key.number == RawActivity::kNone ? "device sync" : stream + " sync");
      case Row::Calls: return m_builder.addTrack(key.lane, Track::Kind::Host, "CUDA calls of thread " + number);
      case Row::Upkeep: return m_builder.addTrack(key.lane, Track::Kind::Host, "CUDA's own work");
      case Row::Overhead: break;
    }
    return m_builder.addTrack(key.lane, Track::Kind::Host, "profiler");
  }

  std::uint32_t nameOf(std::uint32_t name) {
    while (m_names.size() <= name)
      m_names.push_back(m_builder.intern(m_decoder.nameOf(static_cast<std::uint32_t>(m_names.size()))));
    return m_names[name];
  }
  bool communicates(std::uint32_t kernel) {
    while (m_communicates.size() <= kernel)
      m_communicates.push_back(
          isCommunicationKernel(m_decoder.nameOf(static_cast<std::uint32_t>(m_communicates.size()))));
    return m_communicates[kernel];
  }

  TraceBuilder& m_builder;
  const CuptiOptions& m_options;
  const CuptiDecoder& m_decoder;
  const std::uint8_t m_run;
  const bool m_calls;
  std::vector<Waiting> m_waiting;
  std::unordered_map<std::uint64_t, int> m_streams;  ///< lanes by context and stream
  std::map<RowKey, TrackIndex> m_tracks;
  RowKey m_last_key{-1};
  TrackIndex m_last_track;
  std::vector<std::uint32_t> m_names;  ///< the decoder's to the builder's
  std::vector<bool> m_communicates;    ///< by the decoder's name
  GpuActivity m_counts;
};

}  // namespace lanelab
