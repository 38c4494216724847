// SPDX-License-Identifier: GPL-3.0-only
// How much of the processor other programs use, from Linux's counts of CPU time.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/record/run_record.h"

namespace lanelab {

/// Seconds since the machine started, over all cores, and of this process since its own start.
struct CpuSeconds {
  double busy = 0;
  double idle = 0;
  double own = 0;
};

/// Of all threads of this process, since its start.
double processorSeconds();

/// From the text of /proc/stat; `own` is left. Nothing where it has no line of all cores.
std::optional<CpuSeconds> parseCpuSeconds(const std::string& stat, double ticks_a_second);

/// Of this machine; in most containers that is the host, with all that others do there. Nothing where the system
/// reports none.
std::optional<CpuSeconds> cpuSecondsNow();

/// Between two moments. Nothing where no time passed.
std::optional<MachineLoad> loadBetween(const CpuSeconds& before, const CpuSeconds& after, int cores);

/// Waits for a third of a second. Nothing where the system does not tell.
std::optional<MachineLoad> measuredLoad();

/// measuredLoad(), or what a test says.
using MeasureLoad = std::function<std::optional<MachineLoad>()>;

}  // namespace lanelab
