// SPDX-License-Identifier: GPL-3.0-only
// One trace of what several processes recorded of the same steps.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "profiler/trace/clock_alignment.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Rows of a lane whose results go to lanes of other processes, or come from there, as a process that knows its own end
/// only records them: a transfer's start and end there.
inline constexpr std::string_view kSentAway = "to other processes";
inline constexpr std::string_view kComeHere = "from other processes";

struct TracePart {
  std::shared_ptr<const Trace> trace;
  ClockAlignment clock;      ///< from its times to those of the first part
  std::string machine = {};  ///< its name
};

/// All parts know the same lanes, and each lane's rows come from the process that has it. Steps last from the first
/// begin to the last end of any part; a transfer between two processes starts where its sender began to send it and
/// ends where its taker had it, and the rows kSentAway and kComeHere go. The devices of another machine than the first
/// part's are distinguished by its name: "cpu:0 of node2". Title, epoch and the counters of no lane are those of the
/// first part that has them; lost spans add up. At least one part.
std::shared_ptr<const Trace> joinTraces(std::span<const TracePart> parts);

}  // namespace lanelab
