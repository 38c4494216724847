// SPDX-License-Identifier: GPL-3.0-only
// What each root of idle time costs: this link, this loader, this stage, this replica. The measured step is played
// again without it, with all other lengths, delays and transfers as they were measured.
//
// Pure; any thread. Replayed, not measured.
#pragma once

#include <vector>

#include "profiler/analysis/cause.h"

namespace lanelab {

struct PreparedActions;  ///< cause_shares.h

struct Root {
  enum class Kind : std::uint8_t {
    Link,     ///< transfers both ways between stage `number` and the next, with their queues
    Delay,    ///< what holds back the actions of lane `number` by `cause`: its loader, its host
    Stage,    ///< that stage `number` takes longer than the mean of all stages
    Replica,  ///< that lane `number` takes longer than the other replicas of its stages
    Unequal   ///< that some actions of lane `number` take longer than they usually do
  };
  Kind kind = Kind::Link;
  int number = 0;
  Cause cause = Cause::Unresolved;  ///< of Delay
  bool operator==(const Root&) const = default;
};

struct RootCost {
  Root root;
  Nanoseconds step = 0;   ///< mean period of a step without it
  Nanoseconds saved = 0;  ///< more than 0
};

struct RootCosts {
  Nanoseconds step = 0;         ///< mean period of the measured steps that were replayed
  std::vector<RootCost> costs;  ///< what saves most first
};

/// Of a trace and its actions; empty of a trace without any. Time is the number of actions times that of roots; beyond
/// 2e8 only the first steps are replayed.
RootCosts rootCosts(const Trace& trace, const PreparedActions& actions);

}  // namespace lanelab
