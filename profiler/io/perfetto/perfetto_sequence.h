// SPDX-License-Identifier: GPL-3.0-only
// What the packets of one sequence of a Perfetto trace share: names, defaults and clocks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// A text that events refer to by number, and its places in the builder's tables once an event has used it: many events
/// may refer to one long text.
struct InternedText {
  std::string text;
  std::optional<std::uint32_t> name;
  std::optional<ImportBuilder::CategoryKey> category;
  std::optional<std::uint16_t> label;
};

class PerfettoSequence {
 public:
  void takeDefaults(std::string_view defaults);  ///< a TracePacketDefaults
  /// A ClockSnapshot: all its clocks show the same moment. Those of the machine count plainly, those of the sequence
  /// from there.
  void takeClocks(std::string_view snapshot);
  /// An InternedData. Long texts are cut and counted in `problems`.
  void intern(std::string_view data, std::map<std::string, std::int64_t>& problems);

  std::uint64_t defaultTrack() const { return m_default_track; }
  /// Nanoseconds of the trace's clock; an incremental clock goes on. Nothing for a clock that no snapshot told, and for
  /// times out of reach.
  std::optional<Nanoseconds> timeOf(std::uint64_t time, std::optional<std::uint64_t> clock);
  /// Of a field of perfetto::interned that has a table; null when unknown.
  InternedText* textOf(std::uint32_t field, std::uint64_t id);

 private:
  struct Clock {
    Nanoseconds now = 0;  ///< of an incremental clock; else what has to be added to its times
    std::int64_t unit = 1;
    bool incremental = false;
  };

  std::array<std::unordered_map<std::uint64_t, InternedText>, 4> m_texts;  ///< by field, which count from 1
  std::uint64_t m_default_track = 0;
  std::uint64_t m_default_clock = 0;
  std::map<std::uint64_t, Clock> m_clocks;
};

}  // namespace lanelab
