// SPDX-License-Identifier: GPL-3.0-only
// How much of their actions' time the lanes' threads had a core: what is missing went to other programs, or to waiting,
// and is no compute. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// With a smaller share of its compute time on a core, a lane's times are not its own.
inline constexpr double kLeastOnCore = 0.8;

/// Of a lane's actions that tell both.
struct CoreTime {
  Nanoseconds length = 0;
  Nanoseconds cpu = 0;  ///< of the lane's own thread; threads that help it are not counted
};

/// One entry for each lane of the trace; zeros where nothing is known, as of GPUs and of predicted traces.
std::vector<CoreTime> coreTimes(const Trace& trace);

/// Of each lane the share of its compute time that its thread had a core, at most 1; 0 where nothing is known, and of
/// lanes that compute less than a hundredth of what the busiest does.
std::vector<double> coreShares(const Trace& trace);

struct CoreShare {
  std::size_t lane = 0;
  double share = 1;
};

/// The smallest of those that are known.
std::optional<CoreShare> leastCoreShare(const std::vector<double>& shares);

/// The counter of a run with the percentage of the machine's cores that other programs used.
inline constexpr std::string_view kOtherProgramsCounter = "other programs";

/// The mean of that counter in the range; nothing in a trace without it, or before its first value.
std::optional<double> otherProgramsWithin(const Trace& trace, TimeRange range);

/// "cpu:0 and cpu:1 had a core for only 12.0 % and 17.3 % of their compute time", of the lanes below kLeastOnCore; ""
/// without any. A name for each share.
Message takenCoresText(const std::vector<std::string>& lanes, const std::vector<double>& shares);

}  // namespace lanelab
