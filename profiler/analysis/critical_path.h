// SPDX-License-Identifier: GPL-3.0-only
// What a step's length hangs on: the chain of actions, transfers and waits that ends last.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Where a link lies: on the lane that computes, that the transfer goes to, or that waits.
struct PathLink {
  enum class Kind : std::uint8_t { Action, TransferQueued, Transfer, Wait };
  Kind kind = Kind::Wait;
  int lane = 0;
  TimeRange range;
  std::uint32_t action = kNoItem;  ///< name of the action that computes, sent the result or is waited for, in
                                   ///< Trace::names; kNoItem for the wait at the end
};

struct CriticalPath {
  int step = 0;
  TimeRange window;             ///< of the step; where steps overlap, its part of the path through them
  std::vector<PathLink> links;  ///< by start; each begins where the one before ends, and together they are the window
};

/// One a step that has actions. Steps that overlap have one path, which is cut where it comes to the next step, so that
/// its parts follow each other and are their time from first start to last end. Found backwards from the action that
/// ends last: each action began when its lane was free, when its input was there, or (an update) when the other
/// replicas of its stage had their gradients, whichever came last; what lies between that and its begin is a wait (for
/// its host, say). O(n).
std::vector<CriticalPath> criticalPaths(const Trace& trace);
struct TracedActions;  ///< traced_actions.h
/// `traced` are those of the trace.
std::vector<CriticalPath> criticalPaths(const Trace& trace, const TracedActions& traced);

}  // namespace lanelab
