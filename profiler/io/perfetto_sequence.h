// What the packets of one sequence of a Perfetto trace share: names, defaults and clocks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Times beyond it are none; two of them still add up.
inline constexpr Nanoseconds perfetto_reach = std::int64_t{1} << 61;

/// Texts are views into the file.
class PerfettoSequence {
 public:
  void takeDefaults(std::string_view defaults);  ///< a TracePacketDefaults
  /// A ClockSnapshot: all its clocks show the same moment. Those of the machine count plainly, those of the sequence from there.
  void takeClocks(std::string_view snapshot);
  void intern(std::string_view data);  ///< an InternedData

  std::uint64_t defaultTrack() const { return m_defaultTrack; }
  /// Nanoseconds of the trace's clock; an incremental clock goes on. Nothing for a clock that no snapshot told, and for times out of reach.
  std::optional<Nanoseconds> timeOf(std::uint64_t time, std::optional<std::uint64_t> clock);
  std::string_view nameOf(std::uint64_t id) const { return textOf(m_names, id); }  ///< "" when unknown, as the other two
  std::string_view categoryOf(std::uint64_t id) const { return textOf(m_categories, id); }
  std::string_view annotationNameOf(std::uint64_t id) const { return textOf(m_annotationNames, id); }

 private:
  struct Clock {
    Nanoseconds now = 0;  ///< of an incremental clock; else what has to be added to its times
    std::int64_t unit = 1;
    bool incremental = false;
  };
  using Texts = std::unordered_map<std::uint64_t, std::string_view>;

  static std::string_view textOf(const Texts& texts, std::uint64_t id);
  Texts* tableOf(std::uint32_t field);

  Texts m_categories, m_names, m_annotationNames;
  std::uint64_t m_defaultTrack = 0;
  std::uint64_t m_defaultClock = 0;
  std::map<std::uint64_t, Clock> m_clocks;
};

}  // namespace lanelab
