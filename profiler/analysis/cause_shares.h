// SPDX-License-Identifier: GPL-3.0-only
// How much of each gap is owed to which cause, wherever it began: a chain of replays, each with one cause more.
//
// The first replay plays the order of the actions alone, every action at the mean of its phase, without transfers and
// delays: its idle time is fill (before F) and drain. The second gives each stage its own usual lengths; what it adds
// gap by gap is imbalance. Then one replay for each cause that the trace has adds its delays, in the order of Cause:
// queued transfers, transfers, data and so on. The measured step is the last; what it adds is jitter.
//
// A cause that makes a lane wait earlier often makes it wait less later: the wait that the order costs has only moved.
// So where a replay waits less before an action than the one before, the time that is missing retains its cause and
// takes the place of time that the replay has added earlier on the lane, the newest first: what waits upstream before
// what the lane itself shows. Thus the times of a cause add up to the idle time with it minus the idle time without it.
// (In the measured step actions may also be shorter than usual, so there it takes the place of later time, too.)
#pragma once

#include <array>
#include <vector>

#include "profiler/analysis/cause.h"
#include "profiler/analysis/traced_actions.h"
#include "profiler/analysis/usual_lengths.h"

namespace lanelab {

/// By cause and action, how long it held the action back after its lane was free and its input there. Empty where the
/// cause delays nothing; transfers are in TracedAction.
using CauseDelays = std::array<std::vector<Nanoseconds>, kCauseCount>;

/// What several analyses of a trace begin with. Each by itself takes long on a large trace, so whoever asks several of
/// them prepares once and hands it on.
struct PreparedActions {
  TracedActions traced;
  UsualLengths usual;
  CauseDelays delays;  ///< what the lanes show
};
PreparedActions prepareActions(const Trace& trace);

/// Of the action's input, from the end of its producer on; 0 where the trace lacks the producer.
Nanoseconds queueTime(const TracedAction& action);
Nanoseconds transferTime(const TracedAction& action);

/// Of a gap.
struct GapShares {
  CauseTimes causes;
  CauseTimes renamed;  ///< of what the lane shows there of this cause: time that has another cause
};

/// The gap before each action, and that of a lane from its last action to the last of all in the stretch.
class CauseShares {
 public:
  /// Pure; linear in the number of actions times that of causes.
  CauseShares(const Trace& trace, const PreparedActions& actions);

  GapShares before(std::uint32_t item) const { return sharesOf(m_before[item]); }
  GapShares atEnd(std::size_t stretch, std::size_t lane) const { return sharesOf(m_at_end[stretch * m_lanes + lane]); }

 private:
  class Finder;
  struct Share {
    Cause cause;
    Nanoseconds time;
    Nanoseconds renamed;
  };
  struct Place {
    std::size_t first = 0;  ///< in m_shares
    std::size_t count = 0;
  };
  GapShares sharesOf(const Place& place) const;

  std::size_t m_lanes;
  std::vector<Share> m_shares;
  std::vector<Place> m_before;  ///< by action
  std::vector<Place> m_at_end;  ///< by stretch and lane
};

}  // namespace lanelab
