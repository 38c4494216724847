// SPDX-License-Identifier: GPL-3.0-only
// How much memory this process may still take.
#pragma once

#include <cstdint>

namespace lanelab {

/// MemAvailable of /proc/meminfo, or less when the process's control group (v2 or v1) allows less. Bytes.
std::int64_t availableMemory();

}  // namespace lanelab
