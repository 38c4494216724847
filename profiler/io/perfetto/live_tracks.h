// SPDX-License-Identifier: GPL-3.0-only
// Numbers of tracks in files of trace_appender.h: they tell lane, track and counter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanelab::live_tracks {

inline constexpr unsigned kRowBits = 24;
inline constexpr std::uint64_t kFirstCounter = std::uint64_t{1} << 60U;

/// Of a lane; 0 is no track. Lanes are fewer than 2^24.
constexpr std::uint64_t ofLane(std::size_t lane) { return 1 + lane; }
/// Of a row of a track of the trace: spans that overlap take several.
constexpr std::uint64_t ofRow(std::size_t track, std::size_t row) {
  return (std::uint64_t{track} + 1) << kRowBits | row;
}
constexpr std::uint64_t ofCounter(std::size_t counter) { return kFirstCounter + counter; }

/// The track of the trace whose row it is; nothing of others.
constexpr std::optional<std::int64_t> trackOf(std::uint64_t uuid) {
  if (uuid >= kFirstCounter || uuid >> kRowBits == 0) return std::nullopt;
  return static_cast<std::int64_t>(uuid >> kRowBits) - 1;
}
constexpr std::optional<std::uint64_t> laneOf(std::uint64_t uuid) {
  if (uuid == 0 || uuid >> kRowBits != 0) return std::nullopt;
  return uuid - 1;
}

}  // namespace lanelab::live_tracks
