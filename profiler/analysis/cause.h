// SPDX-License-Identifier: GPL-3.0-only
// Why a lane stands idle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "profiler/trace/trace.h"

namespace lanelab {

/// The causes of idle time. In this order they are shown, and of equal shares the first names a gap.
enum class Cause : std::uint8_t {
  Fill,
  Drain,
  Imbalance,
  Jitter,
  TransferQueued,
  Transfer,
  Data,
  Sync,
  Allocator,
  Host,
  Contention,
  Profiler,
  Unresolved
};
inline constexpr std::size_t kCauseCount = 13;

std::string_view toString(Cause cause);  ///< "fill", "drain", ..., "transfer_queued", as the trace dialect spells it

/// Time by cause.
struct CauseTimes {
  std::array<Nanoseconds, kCauseCount> times{};

  Nanoseconds& operator[](Cause cause) { return times[static_cast<std::size_t>(cause)]; }
  Nanoseconds operator[](Cause cause) const { return times[static_cast<std::size_t>(cause)]; }
  Nanoseconds total() const;
  Cause largest() const;
  CauseTimes& operator+=(const CauseTimes& other);
  bool operator==(const CauseTimes&) const = default;
};

/// A stretch of a gap that has one cause.
struct CausePiece {
  TimeRange range;
  Cause cause = Cause::Unresolved;
  bool operator==(const CausePiece&) const = default;
};

}  // namespace lanelab
