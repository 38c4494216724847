// SPDX-License-Identifier: GPL-3.0-only
// How much memory this process may still take.
#pragma once

#include <cstdint>
#include <string>

namespace lanelab {

/// MemAvailable of /proc/meminfo, or less when the process's control group (v2 or v1) allows less. Bytes.
std::int64_t availableMemory();

/// What the memory limits of control groups leave, page cache not counted as used; the largest number where there is no
/// limit. `root`: where they are mounted, "/sys/fs/cgroup"; `groups`: as /proc/self/cgroup lists them, version 1 or 2.
std::int64_t availableInGroups(const std::string& root, const std::string& groups);

}  // namespace lanelab
