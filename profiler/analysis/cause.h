// SPDX-License-Identifier: GPL-3.0-only
// Why a lane stands idle.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
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
  Communication,
  Data,
  Sync,
  Allocator,
  Host,
  Contention,
  Profiler,
  Unresolved,
  Evaluation
};
inline constexpr std::size_t kCauseCount = 15;
/// As the trace dialect spells them.
inline constexpr std::array<std::string_view, kCauseCount> kCauseTexts = {
    "fill", "drain",     "imbalance", "jitter",     "transfer_queued", "transfer",   "communication", "data",
    "sync", "allocator", "host",      "contention", "profiler",        "unresolved", "evaluation"};
constexpr std::string_view toString(Cause cause) { return kCauseTexts[static_cast<std::size_t>(cause)]; }

/// Time by cause.
struct CauseTimes {
  std::array<Nanoseconds, kCauseCount> times{};

  Nanoseconds& operator[](Cause cause) { return times[static_cast<std::size_t>(cause)]; }
  Nanoseconds operator[](Cause cause) const { return times[static_cast<std::size_t>(cause)]; }
  Nanoseconds total() const { return std::accumulate(times.begin(), times.end(), Nanoseconds{0}); }
  Cause largest() const { return static_cast<Cause>(std::max_element(times.begin(), times.end()) - times.begin()); }
  CauseTimes& operator+=(const CauseTimes& other) {
    for (std::size_t i = 0; i < kCauseCount; ++i) times[i] += other.times[i];
    return *this;
  }
  bool operator==(const CauseTimes&) const = default;
};

/// A stretch of a gap that has one cause.
struct CausePiece {
  TimeRange range;
  Cause cause = Cause::Unresolved;
  bool operator==(const CausePiece&) const = default;
};

}  // namespace lanelab
