// SPDX-License-Identifier: GPL-3.0-only
// Puts decoded activity into a trace: which track, which name, which time, and whose work it was.
//
// Work of a device lies on the row of its stream. Its owner is the action whose id was pushed around the launch call,
// else the action during which the launching thread made that call. A launch call may be known later than its kernel,
// so a kernel without one waits for some rounds. Synchronisation is time of the host and would hide kernels, so it has
// a row beside its stream's.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "profiler/collect/cupti/clock_pairing.h"
#include "profiler/collect/cupti/cupti_collector.h"
#include "profiler/collect/launch_log.h"

namespace lanelab {

/// Thread: one at a time; it is the only writer of the tracks that it adds.
class ActivitySink {
 public:
  /// `builder`, `options` and `decoder` must outlive the sink. `run` is that of the ids that count; without `calls`
  /// nothing waits for a launch call.
  ActivitySink(TraceBuilder& builder, const CuptiOptions& options, const CuptiDecoder& decoder, std::uint8_t run,
               bool calls)
      : m_builder(builder), m_options(options), m_decoder(decoder), m_run(run), m_calls(calls) {}

  void add(const std::vector<RawActivity>& activities, const ClockPairing& clock, const LaunchOwners& owners);
  /// What still waits goes to its row without an owner.
  void finish(const ClockPairing& clock, const LaunchOwners& owners);

  /// The sink's share: what was placed and what was not.
  const GpuActivity& counts() const { return m_counts; }

 private:
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

  const LaunchCall* launchOf(const RawActivity& activity) const {
    return m_decoder.launches().find(activity.correlation);
  }
  bool awaitsLaunch(const RawActivity& activity) const;
  void retry(const Round& round);
  void place(const RawActivity& activity, const Round& round);
  void count(const RawActivity& activity, bool owned);
  void checkOrder(const RawActivity& activity, const LaunchCall* launch);
  LaunchOwner ownerOf(const RawActivity& activity, const LaunchCall* launch, const Round& round) const;
  int laneOf(const RawActivity& activity, const LaunchCall* launch, const LaunchOwner& owner, const Round& round);
  int laneOfStream(const CudaStream& stream);
  static RowKey rowOf(const RawActivity& activity, int lane);
  TrackIndex trackOf(const RowKey& key);
  TrackIndex addTrack(const RowKey& key);
  std::uint32_t nameOf(std::uint32_t name);

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
  GpuActivity m_counts;
};

}  // namespace lanelab
