// SPDX-License-Identifier: GPL-3.0-only
// Idle time and its causes as JSON, as `gaps --json` prints them.
#pragma once

#include <string>
#include <string_view>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// { "lanes": [ { lane, name, window_us, busy_us, idle_us, causes{}, gaps[] } ], "bubble": { of_total, of_ideal } }. A
/// lane tells every cause, a gap those that it has. `axis` is what times of the file count from, so that start_us is on
/// the file's own axis. Times in microseconds with three decimals. `further` goes behind: a member in JSON of what the
/// caller knows besides, such as "\"recording\": null"; mostly empty.
std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further = {});

}  // namespace lanelab
