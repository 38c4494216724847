// SPDX-License-Identifier: GPL-3.0-only
// Steps replayed in thought: the same actions in the same order, with other lengths, delays and transfers.
//
// An action begins when its lane is free and its input there, plus its delay; its input is there when its producer has
// ended, plus the time of the transfer; replicas that it waits for count as if they were its input. Lanes meet only
// between stretches. Times are nanoseconds from the start of the stretch, in doubles, since means are no whole numbers.
#pragma once

#include <vector>

#include "profiler/analysis/replica_waits.h"
#include "profiler/analysis/traced_actions.h"

namespace lanelab {

/// By action.
struct ReplayTimes {
  std::vector<double> lengths;
  std::vector<double> delays;     ///< after its lane is free and its input there
  std::vector<double> transfers;  ///< from the end of its producer until its input is there
  ReplicaWaits replicas = {};     ///< whose ends it waits for as well
};

/// Replays one stretch at a time and retains its buffers. A producer that began after the action that takes its result
/// (imported files) is not waited for, so no order hangs. The gap before an action includes those before the actions
/// without length that go directly before it, since these begin nothing.
class IdleReplay {
 public:
  IdleReplay(const TracedActions& traced, std::size_t lanes);

  /// Linear in the actions of the stretch.
  void play(const Stretch& stretch, const ReplayTimes& times);

  /// Of the stretch that was played last: the time that the lane waits for the action's input, without the action's
  /// delay; that from its last action to the end of all, and when that end is.
  double waitsBefore(std::uint32_t item) const { return m_waits[item]; }
  double waitsAtEnd(std::size_t lane) const { return m_end - m_free[lane] + m_carried[lane]; }
  double end() const { return m_end; }

 private:
  void playAction(std::uint32_t item, const ReplayTimes& times);

  const TracedActions& m_traced;
  std::vector<double> m_ends;     ///< of the actions played so far, negative of the others
  std::vector<double> m_waits;    ///< before the action
  std::vector<double> m_free;     ///< by lane: when its last action ended
  std::vector<double> m_carried;  ///< by lane: idle time that the next action with length follows
  double m_end = 0;
};

}  // namespace lanelab
