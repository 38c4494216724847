// SPDX-License-Identifier: GPL-3.0-only
// Numbers of tracks in files of trace_appender.h: they tell lane, track and counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanelab::live_tracks {

inline constexpr unsigned row_bits = 24;
inline constexpr std::uint64_t first_counter = std::uint64_t{1} << 60U;

/// Of a lane; 0 is no track. Lanes are fewer than 2^24.
constexpr std::uint64_t ofLane(std::size_t lane) { return 1 + lane; }
/// Of a row of a track of the trace: spans that overlap take several.
constexpr std::uint64_t ofRow(std::size_t track, std::size_t row) {
  return (std::uint64_t{track} + 1) << row_bits | row;
}
constexpr std::uint64_t ofCounter(std::size_t counter) { return first_counter + counter; }

/// The track of the trace whose row it is; nothing of others.
constexpr std::optional<std::int64_t> trackOf(std::uint64_t uuid) {
  if (uuid >= first_counter || uuid >> row_bits == 0) return std::nullopt;
  return static_cast<std::int64_t>(uuid >> row_bits) - 1;
}
constexpr std::optional<std::uint64_t> laneOf(std::uint64_t uuid) {
  if (uuid == 0 || uuid >> row_bits != 0) return std::nullopt;
  return uuid - 1;
}

}  // namespace lanelab::live_tracks
