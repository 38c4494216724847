// SPDX-License-Identifier: GPL-3.0-only
// Idle time and its causes as JSON, as `gaps --json` prints them.
#pragma once

#include <string>
#include <string_view>

#include "profiler/analysis/idle_causes.h"

namespace lanelab {

/// { "windows": "step", "period" (IdleCauses::window_kind) or "trace", "lanes": [ { lane, name, window_us, busy_us,
/// idle_us, causes{}, gaps[] } ], "bubble": { of_total, of_ideal } }. A lane has every cause (evaluation if it is not
/// 0), a gap those that are not 0; in a lane without work all time has the cause no_work_in_the_steps. A GPU has
/// communication_us, exposed_communication_us, exposed_memory_us and inactive_us as well (GpuTimes); idle_us is the sum
/// of the last three. Lanes of imported traces have outside_us, what they compute in none of their windows, and GPUs
/// outside_communication_us, so that busy_us and outside_us are all that they compute. `axis` is what times of the file
/// count from, so that start_us is on the file's own axis; since_begin_us counts from the trace's first span. Times in
/// microseconds with three decimals. `further` goes behind: a member in JSON of what the caller knows besides, such as
/// "\"recording\": null"; mostly empty.
std::string causesJson(const Trace& trace, const IdleCauses& causes, Nanoseconds axis, std::string_view further = {});

}  // namespace lanelab
