// SPDX-License-Identifier: GPL-3.0-only
// The clocks of the machine in a Perfetto trace: all times become those of one of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "profiler/io/build/import_builder.h"
#include "profiler/io/perfetto/perfetto_fields.h"

namespace lanelab {

/// A snapshot shows what several clocks show at one moment, so it tells how far they are apart until the next one.
/// Perfetto converts in the same way (src/trace_processor/util/clock_synchronizer.h). Times are int64 nanoseconds.
class MachineClocks {
 public:
  using Shown = std::vector<std::pair<std::uint64_t, Nanoseconds>>;  ///< clock and time

  /// `primary`: the clock that the snapshot calls that of the trace; else the boot clock is it, or if no snapshot shows
  /// that, the first clock of the first one.
  void read(const Shown& shown, std::optional<std::uint64_t> primary) {
    if (shown.empty()) return;
    if (primary) m_primary = *primary;
    const auto timeOf = [&](std::uint64_t clock) -> std::optional<Nanoseconds> {
      for (const auto& [id, time] : shown)
        if (id == clock) return time;
      return std::nullopt;
    };
    if (m_ahead.empty() && !timeOf(m_primary)) m_primary = shown.front().first;
    std::optional<Nanoseconds> now = timeOf(m_primary);
    for (const auto& [id, time] : shown)
      if (!now && m_ahead.contains(id)) now = time + m_ahead[id];
    if (!now) return;
    for (const auto& [id, time] : shown) m_ahead[id] = *now - time;
  }

  /// The time of the trace's clock; as it is for a clock of which no snapshot tells.
  Nanoseconds converted(std::uint64_t clock, Nanoseconds time) const {
    const auto ahead = m_ahead.find(clock);
    return ahead == m_ahead.end() ? time : time + ahead->second;
  }

 private:
  std::uint64_t m_primary = perfetto::clock::kBoottime;
  std::map<std::uint64_t, Nanoseconds> m_ahead;  ///< of the trace's clock, by clock
};

}  // namespace lanelab
