// SPDX-License-Identifier: GPL-3.0-only
// Cuts one gap into pieces of cause, the first cause that holds winning.
#pragma once

#include <span>
#include <vector>

#include "profiler/analysis/cause.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Begin a gap, then take parts of what is still open, in the order in which causes are asked for. Keeps its memory
/// from gap to gap.
class GapWalk {
 public:
  void begin(TimeRange gap);
  /// What is open before `time`.
  void until(Nanoseconds time, Cause cause);
  /// What is open within `ranges`, which are sorted and disjoint.
  void within(std::span<const TimeRange> ranges, Cause cause);
  void rest(Cause cause);

  /// A share of upstream time.
  struct Share {
    Cause cause;
    Nanoseconds most;
  };
  /// What is open before `time`, from its begin on: the first share up to its most, then the second ..., then `rest`.
  void untilShared(Nanoseconds time, std::span<const Share> shares, Cause rest);

  /// All pieces by start, neighbours of one cause joined. Nothing is open any more after rest().
  const std::vector<CausePiece>& pieces();

 private:
  std::vector<TimeRange> m_open;  ///< sorted, disjoint
  std::vector<TimeRange> m_left;
  std::vector<CausePiece> m_pieces;
};

}  // namespace lanelab
