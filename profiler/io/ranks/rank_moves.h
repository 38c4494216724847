// SPDX-License-Identifier: GPL-3.0-only
// What a rank sent to others and received from them, so that both ends of a transfer are found in two traces.
//
// Pure; any thread; n log n in the transfers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "profiler/trace/imported_trace.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

/// The windows that PyTorch's profiler marked, by start, of all processes of a rank.
std::vector<StepWindow> markedStepsOf(const Trace& trace);

struct RankMoves {
  /// Of an action's transfer the step, phase, sending stage and micro-batch; of a kernel the step, the two ranks and
  /// the process group.
  using Key = std::tuple<int, int, int, int, std::string>;
  using Times = std::map<Key, std::vector<Nanoseconds>>;  ///< ascending
  Times sends;                                            ///< when they began
  Times receives;                                         ///< when they ended

  void shift(Nanoseconds by);
};

RankMoves movesOf(const ImportedTrace& imported);

/// What must be added to the times of the other one: no receive may end before its send began.
struct OffsetBounds {
  std::optional<Nanoseconds> least;  ///< by what the other one received
  std::optional<Nanoseconds> most;   ///< by what it sent
  std::int64_t pairs = 0;
};
OffsetBounds offsetBounds(const RankMoves& reference, const RankMoves& other);

}  // namespace lanelab
