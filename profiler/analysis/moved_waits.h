// SPDX-License-Identifier: GPL-3.0-only
// The gaps of one lane from one replay to the next, which has one cause more: what it adds has that cause, and waits
// that it only moves retain theirs.
//
// Pure; times in nanoseconds.
#pragma once

#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/analysis/cause.h"

namespace lanelab {

/// A gap of a lane, and the causes of its time so far.
struct CausedGap {
  std::uint32_t item = kNoItem;  ///< the action that follows; kNoItem at the end
  Nanoseconds measured = 0;
  Nanoseconds waits = 0;     ///< until the lane's input is there, by the last replay: the sum of `upstream`
  CauseTimes upstream = {};  ///< of these waits
  CauseTimes delays = {};    ///< of what holds the lane back afterwards
  CauseTimes moved = {};     ///< waits that took the place of delays
  CauseTimes taken = {};     ///< by cause: of what the lane itself shows of it, what waits took the place of

  CauseTimes causes() const;
};

/// What may take the place of waits that are missing in a replay.
enum class Moves : std::uint8_t { Nothing, Earlier, EarlierAndLater };

class MovedWaits {
 public:
  /// `retained`: what is longer than this is an event of its own, which nothing takes the place of.
  MovedWaits(std::vector<CausedGap>& gaps, Cause cause, Moves moves, Nanoseconds retained)
      : m_gaps(gaps), m_cause(cause), m_moves(moves), m_retained(retained) {}

  /// In order of time: how long the lane waits there in the new replay, how much of it at the end the lane itself shows
  /// as the new cause, and by how much that holds it back afterwards.
  void move(std::size_t place, Nanoseconds waits, Nanoseconds shown, Nanoseconds delay);

 private:
  struct Added {
    std::size_t place;
    Nanoseconds time;
  };
  using Stack = std::vector<Added>;
  void grow(std::size_t place, Nanoseconds time);
  void shrink(CausedGap& gap, Nanoseconds time);
  void moveBack(Cause cause, Nanoseconds time);

  std::vector<CausedGap>& m_gaps;
  Cause m_cause;
  Moves m_moves;
  Nanoseconds m_retained;
  // What the replay added so far:
  Stack m_upstream;  ///< waits
  Stack m_shown;     ///< waits that the lane itself shows
  Stack m_delays;
  CauseTimes m_missing;
};

}  // namespace lanelab
