// Puts decoded activity into a trace: which track, which name, which time.
#pragma once

#include <map>
#include <vector>

#include "profiler/collect/cupti/clock_pairing.h"
#include "profiler/collect/cupti/cupti_collector.h"

namespace lanelab {

/// Thread: one at a time; it is the only writer of the tracks that it adds.
class ActivitySink {
 public:
  /// Both must outlive the sink.
  ActivitySink(TraceBuilder& builder, const CuptiOptions& options) : m_builder(builder), m_options(options) {}

  void add(const std::vector<RawActivity>& activities, const CuptiDecoder& decoder, const ClockPairing& clock);

 private:
  enum class Row : std::uint8_t { Stream, Sync, Calls, Overhead };
  struct RowKey {
    int lane = 0;
    Row row = Row::Stream;
    std::uint32_t number = 0;  ///< of the stream or thread
    std::uint32_t context = 0;
    auto operator<=>(const RowKey&) const = default;
  };

  RowKey rowOf(const RawActivity& activity) const;
  TrackIndex trackOf(const RowKey& key);
  std::uint32_t nameOf(std::uint32_t name, const CuptiDecoder& decoder);

  TraceBuilder& m_builder;
  const CuptiOptions& m_options;
  std::map<RowKey, TrackIndex> m_tracks;
  std::vector<std::uint32_t> m_names;  ///< the decoder's to the builder's
};

}  // namespace lanelab
