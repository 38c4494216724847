// SPDX-License-Identifier: GPL-3.0-only
// The operators that one thread runs, as spans of one track.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/torch/record/node_owners.h"
#include "engine/torch/record/operator_clock.h"
#include "profiler/trace/trace_builder.h"

namespace lanelab {

/// Used on its thread. Operators nest in time, and so do their spans.
class OperatorTrack {
 public:
  /// How a reader finds an operator's block. Nest: the track has spans of blocks around the operators. Enclose: what
  /// runs for one block without a break gets a span around it that is named like the block, of the operators' own
  /// category.
  enum class Blocks { Nest, Enclose };

  OperatorTrack(TraceBuilder& trace, TrackIndex track, Blocks blocks)
      : m_trace(trace), m_track(track), m_blocks(blocks) {}

  void begins() { m_open.push_back(std::max(m_open.empty() ? m_clock.anchor() : m_clock.now(), m_last_end)); }
  /// The last one begun; `name` is copied where it is new. Its span is of `phase` and of the owner's step, stage and
  /// micro-batch.
  void ends(const char* name, const NodeOwner& owner, Phase phase);
  /// No operator is open and none of the same block follows.
  void closeBlock();

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  std::uint32_t nameOf(const char* name);
  std::uint32_t numberOf(std::string_view name);
  void enclose(const Span& span, std::uint32_t block);

  /// A name that came lately, on a cache line of its own: between two operators all else has left the nearest cache,
  /// and the map would take several lines.
  struct alignas(64) Recent {
    const char* place = nullptr;
    std::uint32_t number = 0;
    std::array<char, 52> text{};
  };

  TraceBuilder& m_trace;
  TrackIndex m_track;
  Blocks m_blocks;
  std::vector<Nanoseconds> m_open;  ///< when the operators began that have not ended, the outermost first
  Span m_block;                     ///< what is being enclosed; its name is kNoBlock where nothing is
  OperatorClock m_clock;
  Nanoseconds m_last_end = 0;  ///< of an operator; the one around it does not end before
  std::array<Recent, 64> m_recent;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_names;
};

}  // namespace lanelab
